import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startWebHost } from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import { endpointOf } from './endpoint.ts'
import type { Endpoint } from './endpoint.ts'

export interface SeededSession {
  readonly id: string
  readonly cwd: string
  readonly turns: number
  readonly chunks: number
}

export interface BenchHost extends AsyncDisposable {
  readonly host: WebHost
  readonly endpoint: Endpoint
  /** Milliseconds the host itself takes to read a stored session. */
  hostRead(id: string): Promise<number>
}

const row = fileURLToPath(new URL('seed.program.ts', import.meta.url))

/** The real web profile with our server and these stored sessions. */
export async function startBenchHost(home: string, sessions: readonly SeededSession[]): Promise<BenchHost> {
  const seed = join(home, 'bench-seed.json')
  await writeFile(seed, JSON.stringify(sessions))
  const options = {
    home,
    plugins: ['server'] as const,
    patches: [JSON.stringify([{ insert: [{ id: 'dsh-mcp-bench-seed', name: row }] }])],
    env: { DSH_MCP_BENCH_SEED: seed },
  }
  if (sessions.length > 0) {
    // Written in a run of its own, so that nothing of it is in the caches of the host that is measured.
    await using _writer = await startWebHost(options)
  }
  const host = await startWebHost(options)
  const endpoint = await endpointOf(home)
  return {
    host,
    endpoint,
    async hostRead(id) {
      const started = performance.now()
      await (await fetch(`${host.url}/bench-host-read?id=${id}`)).json()
      return performance.now() - started
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}
