import { createServer } from 'node:net'
import { StartError } from './options.ts'

/** Throws a {@link StartError} when 127.0.0.1:`port` cannot be listened on. `what` says who wants it. */
export async function ensurePortIsFree(port: number, what: string, remedy: string): Promise<void> {
  if (port === 0) return
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
  } catch (error) {
    throw new StartError(`Port ${port} for ${what} is taken. ${remedy}`, { cause: error })
  }
  await new Promise<void>((resolve) => server.close(() => resolve()))
}
