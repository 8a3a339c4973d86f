import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** What `npm start` was asked to do. */
export interface StartOptions {
  /** Boot on a free port in a temporary home, prove it, exit. */
  readonly check: boolean
  /** Port of the harness's page, 0 for any free one. */
  readonly port: number
  /** `DSH_HOME` of the harness. */
  readonly home: string
}

/** A sentence for the person at the terminal; no stack is shown. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export const defaultPort = 3080

export const usage = `npm start [-- --port N] [--home DIR]   boot the harness with both plugins (page on port ${defaultPort}, home ./.dsh)
npm start -- --check                    boot on a free port in a temporary home, prove it works, exit`

/** Reads the command line. Throws a {@link StartError} that names the wrong part. */
export function readOptions(args: readonly string[], root: string): StartOptions {
  let values
  try {
    values = parseArgs({
      args: [...args],
      options: { check: { type: 'boolean' }, port: { type: 'string' }, home: { type: 'string' } },
    }).values
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : String(error)}\n${usage}`, { cause: error })
  }
  const port = Number(values.port ?? defaultPort)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new StartError(`--port takes a number from 0 to 65535, not "${values.port}".`)
  }
  return { check: values.check ?? false, port, home: resolve(root, values.home ?? '.dsh') }
}
