import { spawn } from 'node:child_process'
import {
  clientPeer,
  JsonRpcLineTransport,
  type Diagnostic,
  type HarnessSdkClientPeer,
  type SessionEvent,
} from '@dsh-mcp/sdk-protocol'

export interface Notification {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

/** A runtime in a child process, and our client at its pipes. */
export interface Connection extends AsyncDisposable {
  readonly transport: JsonRpcLineTransport
  readonly runtime: HarnessSdkClientPeer
  readonly notifications: Notification[]
  readonly diagnostics: Diagnostic[]
  /** The exit code, or the signal. */
  readonly exited: Promise<number | string>
  stderr(): string
  kill(): void
  /** Ends the runtime's input, as a client does that goes away; what it still says is heard. */
  endInput(): Promise<void>
  /** Resolves with the notifications so far, as soon as one of them satisfies the condition. */
  until(condition: (notification: Notification) => boolean): Promise<readonly Notification[]>
  /** Sends text as a prompt and waits until the session rests again. */
  run(sessionId: string, text: string): Promise<readonly SessionEvent[]>
}

export function connect(command: string, args: readonly string[], env: NodeJS.ProcessEnv, cwd?: string): Connection {
  const child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'pipe'] })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = new Promise<number | string>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal ?? -1))
  })
  const diagnostics: Diagnostic[] = []
  const transport = new JsonRpcLineTransport(child.stdout, child.stdin, {
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  })
  const notifications: Notification[] = []
  const looking = new Set<() => void>()
  const note = (method: string, params: Record<string, unknown>): void => {
    notifications.push({ method, params })
    for (const look of looking) look()
  }
  const runtime = clientPeer(transport)
  runtime.listen({}, note)
  transport.start()

  function until(condition: (notification: Notification) => boolean): Promise<readonly Notification[]> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!notifications.some(condition)) return
        looking.delete(look)
        resolve([...notifications])
      }
      looking.add(look)
      void exited.then(() => reject(new Error(`the runtime ended first\n${stderr}`)))
      look()
    })
  }

  async function run(sessionId: string, text: string): Promise<readonly SessionEvent[]> {
    const from = notifications.length
    await runtime.request('session/prompt', { sessionId, contentBlocks: [{ type: 'text', text }] })
    const isIdle = ({ method, params }: Notification): boolean =>
      method === 'session.status' && params.sessionId === sessionId && params.status === 'idle'
    await until((notification) => isIdle(notification) && notifications.indexOf(notification) >= from)
    return notifications
      .slice(from)
      .filter(({ method, params }) => method === 'session.event' && params.sessionId === sessionId)
      .map(({ params }) => params.event as SessionEvent)
  }

  return {
    transport,
    runtime,
    notifications,
    diagnostics,
    exited,
    stderr: () => stderr,
    kill: () => void child.kill('SIGKILL'),
    endInput: () => new Promise((resolve) => child.stdin.end(resolve)),
    until,
    run,
    [Symbol.asyncDispose]: async () => {
      transport.close()
      child.stdin.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await exited
      clearTimeout(timer)
    },
  }
}

/** The text of the last message of the model among the events. */
export function lastText(events: readonly SessionEvent[]): string | undefined {
  const message = events.findLast(({ type }) => type === 'assistant/message')
  const data = message?.data as { message: { content: { type: string; text?: string }[] } } | undefined
  return data?.message.content.map((block) => block.text ?? '').join('')
}
