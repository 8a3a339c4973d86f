/**
 * A process of its own with the connections and the OAuth of one state file. Arguments: path of the state file, and
 * where to kill itself during a refresh (`before-send`, `after-send`, `after-answer`), if at all. Asked
 * `{ call }` over IPC it calls the tool `whoami` and answers with the outcome; `quit` ends it.
 */
import { guardedSend } from './guarded-fetch.ts'
import type { Send } from './guarded-fetch.ts'
import { openRig } from './test-rig.ts'

const [, , path, killAt] = process.argv
if (path === undefined) throw new Error('the path of the state file is missing')

function die(): Promise<never> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => undefined)
}

const send = guardedSend({ environment: {} })
const hooked: Send = async (url, request) => {
  const refreshing = request.body?.includes('grant_type=refresh_token') === true
  if (!refreshing || killAt === undefined) return send(url, request)
  if (killAt === 'before-send') return die()
  if (killAt === 'after-send') {
    void send(url, request)
    // Long enough for the request to be on the wire; the provider acts on it whether we live or not.
    await new Promise((resolve) => setTimeout(resolve, 300))
    return die()
  }
  await (await send(url, request)).text()
  return die()
}

const rig = await openRig({}, { path, send: hooked })

async function answer(message: unknown): Promise<void> {
  if (message === 'quit') {
    await rig[Symbol.asyncDispose]()
    process.disconnect()
    return
  }
  const { call } = message as { readonly call: number }
  try {
    await rig.connection().callTool('whoami', {})
    process.send?.({ call, ok: true })
  } catch (error) {
    process.send?.({ call, ok: false, error: error instanceof Error ? error.message : String(error) })
  }
}

process.on('message', (message) => void answer(message))
process.send?.({ ok: true, ready: true })
