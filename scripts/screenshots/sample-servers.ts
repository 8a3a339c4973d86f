import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freePort, nodeBinary, peerEntry, startAuthorizationServer, startProtectedServer } from '@dsh-mcp/testkit'

const peers = ['filesystem', 'memory', 'everything', 'sequential-thinking']

/** A home with servers in all states worth a picture, and the environment in which their programs are found. */
export interface SampleServers extends AsyncDisposable {
  readonly env: NodeJS.ProcessEnv
}

/** Writes the state file and links the reference servers under the names of their own programs. */
export async function prepareServers(home: string): Promise<SampleServers> {
  await using stack = new AsyncDisposableStack()
  const bin = join(home, 'bin')
  await mkdir(bin)
  for (const peer of peers) {
    const entry = peerEntry(`@modelcontextprotocol/server-${peer}`, 'dist/index.js')
    await writeFile(join(bin, `mcp-server-${peer}`), `#!/bin/sh\nexec '${nodeBinary}' '${entry}' "$@"\n`, {
      mode: 0o755,
    })
  }
  const provider = stack.use(await startAuthorizationServer())
  const issues = stack.use(
    await startProtectedServer({ authorizationServers: [provider.origin], challengeScope: 'mcp:read' }),
  )
  const stdio = (id: string, name: string, args: readonly string[] = []): object => ({
    id,
    name,
    type: 'stdio',
    command: `mcp-server-${name}`,
    args,
  })
  const servers = [
    stdio('aaaaaaaaaa1', 'everything'),
    stdio('aaaaaaaaaa2', 'filesystem', ['.']),
    stdio('aaaaaaaaaa3', 'memory'),
    { id: 'aaaaaaaaaa4', name: 'issues', type: 'http', url: issues.url, authMode: 'oauth' },
    {
      id: 'aaaaaaaaaa5',
      name: 'simulation',
      type: 'http',
      url: `http://127.0.0.1:${await freePort()}/mcp`,
      authMode: 'none',
      timeout: 600_000,
    },
    { ...stdio('aaaaaaaaaa6', 'sequential-thinking'), enabled: false },
  ]
  await writeFile(join(home, 'mcp-manager.json'), JSON.stringify({ servers }), { mode: 0o600 })
  const kept = stack.move()
  return {
    env: { PATH: `${bin}:${process.env['PATH'] ?? ''}` },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}
