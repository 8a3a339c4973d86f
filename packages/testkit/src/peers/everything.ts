import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { startChild } from '../host/child.ts'
import type { Child } from '../host/child.ts'
import { nodeBinary, repositoryRoot } from '../host/paths.ts'
import { eventually } from '../wait.ts'

const loopbackOnly = fileURLToPath(new URL('loopback-only.program.mjs', import.meta.url))

/** Entry of a peer's program that is a development dependency of `e2e/`. */
export function peerEntry(packageName: string, entry: string): string {
  return join(repositoryRoot, 'e2e', 'node_modules', packageName, entry)
}

/** Command and arguments of the reference server `server-everything` over stdio. */
export function everythingStdio(): { command: string; args: string[] } {
  return { command: nodeBinary, args: [peerEntry('@modelcontextprotocol/server-everything', 'dist/index.js'), 'stdio'] }
}

/** A TCP port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return port
}

/** A running HTTP peer. Disposing it ends the process. */
export interface HttpPeer extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly child: Child
}

/**
 * Starts `server-everything` over `streamableHttp` (endpoint `/mcp`) or `sse` (endpoint `/sse`), on 127.0.0.1 and with an
 * environment that holds only PATH: one of its tools tells its environment to every caller.
 */
export async function startEverything(
  kind: 'streamableHttp' | 'sse' = 'streamableHttp',
  wanted?: number,
): Promise<HttpPeer> {
  const port = wanted ?? (await freePort())
  const entry = peerEntry('@modelcontextprotocol/server-everything', 'dist/index.js')
  const child = startChild(nodeBinary, ['--import', pathToFileURL(loopbackOnly).href, entry, kind], {
    env: { PATH: process.env.PATH, PORT: String(port) },
    input: '',
  })
  const origin = `http://127.0.0.1:${port}`
  try {
    await eventually(`server-everything answers on ${origin}`, async () => {
      if (child.process.exitCode !== null) throw new Error(`it ended: ${child.stderr()}`)
      const response = await fetch(`${origin}/no-such-path`)
      await response.body?.cancel()
      return true
    })
  } catch (error) {
    await child.stop(1000)
    throw error
  }
  return {
    url: `${origin}${kind === 'sse' ? '/sse' : '/mcp'}`,
    port,
    child,
    async [Symbol.asyncDispose]() {
      await child.stop(3000)
    },
  }
}
