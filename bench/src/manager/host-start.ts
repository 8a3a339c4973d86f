import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { oddStdio, smallServer, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { alternate, contextRow, goalRow, type Row } from '../../harness/index.ts'

function fiftyServers(): readonly object[] {
  return Array.from({ length: 50 }, (_, index) => {
    const name = `server-${index}`
    if (index % 5 === 0) return { name, type: 'http', url: `http://127.0.0.1:${2 + index}/mcp`, authMode: 'none' }
    if (index % 5 === 1) return { name, type: 'stdio', ...oddStdio({ mute: true }) }
    return { name, ...smallServer(name, 5) }
  })
}

/** Process start to printed URL: the plugin with 50 servers (10 dead, 10 silent) against the plugin absent. */
export async function hostStart(progress: (text: string) => void): Promise<readonly Row[]> {
  await using bare = await temporaryHome()
  await using full = await temporaryHome()
  const state = join(full.path, 'mcp-manager.json')
  await writeFile(state, JSON.stringify({ servers: fiftyServers() }))
  const boot = async (home: string, plugins: readonly 'manager'[]): Promise<number> => {
    await using host = await startWebHost({ home, plugins })
    progress(`${plugins.length === 0 ? 'without' : 'with 50 servers'}: ${Math.round(host.startMs)} ms`)
    return host.startMs
  }
  const result = await alternate({ absent: () => boot(bare.path, []), present: () => boot(full.path, ['manager']) }, 9)
  const later = result.median('present') - result.median('absent')
  const ratio = result.ratio('present', 'absent')
  const names = {
    later: 'host start with 50 servers: later than without',
    ratio: 'host start with 50 servers: against without',
  }
  // The goal is "at most 50 ms later, or at most 1.04 ×": the figure that reaches it is judged, the other shown.
  return [
    contextRow('host start without the plugin', result.median('absent'), 'ms'),
    ...(later <= 50
      ? [goalRow(names.later, later, 'ms', { atMost: 50 }), contextRow(names.ratio, ratio, '×')]
      : [goalRow(names.ratio, ratio, '×', { atMost: 1.04 }), contextRow(names.later, later, 'ms')]),
  ]
}
