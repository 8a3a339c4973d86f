import { join } from 'node:path'
import { eventually, hostEnvironment, nodeBinary, pluginFolder, startChild, type Child } from '@dsh-mcp/testkit'
import type { Scene } from './scene.ts'

/** A running `dsh-mcp-stdio`, spoken to line by line. */
export interface Bridge extends AsyncDisposable {
  readonly child: Child
  send(message: unknown): void
  sendLine(line: string | Uint8Array): void
  /** Sends a request and resolves with the line that answers it. */
  ask(message: { readonly id: number; readonly [key: string]: unknown }): Promise<string>
}

/** Whether a line of the bridge is the error of a request; a good answer may speak of errors too. */
export function isError(line: string): boolean {
  return (JSON.parse(line) as { error?: unknown }).error !== undefined
}

/** The program that a client starts. */
export const bridgeProgram = join(pluginFolder('server'), 'bin', 'dsh-mcp-stdio.mjs')

/** Starts a bridge to the harness of a scene; `args` as on its command line. */
export function startBridge(scene: Scene, args: readonly string[] = []): Bridge {
  const child = startChild(nodeBinary, [bridgeProgram, ...args], { env: hostEnvironment(scene.home) })
  const sendLine = (line: string | Uint8Array): void => {
    child.process.stdin?.write(line)
    child.process.stdin?.write('\n')
  }
  return {
    child,
    sendLine,
    send: (message) => sendLine(JSON.stringify(message)),
    async ask(message) {
      sendLine(JSON.stringify(message))
      const line = await eventually(`the bridge answers ${message.id}`, () =>
        child
          .stdout()
          .split('\n')
          .find((one) => one.startsWith('{') && (JSON.parse(one) as { id?: unknown }).id === message.id),
      )
      scene.see('the bridge', child.stdout() + child.stderr())
      return line
    },
    async [Symbol.asyncDispose]() {
      await child.stop(3_000)
    },
  }
}
