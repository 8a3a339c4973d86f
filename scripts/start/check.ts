import { readdir, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { isAlive, startEverything, temporaryHome } from '@dsh-mcp/testkit'
import type { Child } from '@dsh-mcp/testkit'
import { agentProofs } from './check-agent.ts'
import { clientProofs } from './check-client.ts'
import { startHarness } from './harness.ts'
import { runProofs } from './proof.ts'
import type { Proof } from './proof.ts'
import { ensureStateFile } from './sample-state.ts'

/** What may not change: the names and times below the user's own home of the harness. */
async function ownHomeSnapshot(): Promise<string> {
  const own = join(homedir(), '.dsh')
  try {
    const names = await readdir(own, { recursive: true })
    const times = await Promise.all(
      names.map(async (name) => `${name} ${(await stat(join(own, name)).catch(() => undefined))?.mtimeMs}`),
    )
    return times.toSorted().join('\n')
  } catch {
    // No home of the harness on this machine.
    return 'absent'
  }
}

function endProof(stopped: readonly Child[], before: string): Proof {
  return {
    name: 'nothing left behind',
    async prove() {
      const alive = stopped.filter((child) => isAlive(child.pid))
      if (alive.length > 0) throw new Error(`process ${alive.map((child) => child.pid).join(', ')} still runs`)
      if ((await ownHomeSnapshot()) !== before) throw new Error('~/.dsh was changed')
      return 'no process left, ~/.dsh untouched'
    },
  }
}

/**
 * `npm start -- --check`: boots the harness as `npm start` does, on a free port and in a temporary home, and shows that MCP
 * works in both directions. One line per proof; resolves with the exit code.
 */
export async function proveItWorks(): Promise<number> {
  const before = await ownHomeSnapshot()
  const started = performance.now()
  const print = (line: string) => console.log(line)
  const children: Child[] = []
  let failed: readonly string[]
  {
    await using home = await temporaryHome()
    await ensureStateFile(home.path)
    await using sample = await startEverything('streamableHttp')
    await using host = await startHarness({
      home: home.path,
      plugins: ['manager', 'server'],
      env: { SAMPLE_MCP_PORT: String(sample.port) },
    })
    children.push(sample.child, host.child)
    print(`ok      harness: both plugins loaded, page at ${host.url} (${(host.startMs / 1000).toFixed(1)} s)`)
    failed = await runProofs([...agentProofs(host), ...clientProofs(host)], print)
  }
  failed = [...failed, ...(await runProofs([endProof(children, before)], print))]
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  print(failed.length === 0 ? `All proofs hold (${seconds} s).` : `Failed: ${failed.join('; ')} (${seconds} s).`)
  return failed.length === 0 ? 0 : 1
}
