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

/** Starts a bridge to the harness of a scene. */
export function startBridge(scene: Scene): Bridge {
  const child = startChild(nodeBinary, [join(pluginFolder('server'), 'bin', 'dsh-mcp-stdio.mjs')], {
    env: hostEnvironment(scene.home),
  })
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
