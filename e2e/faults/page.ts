import { readFile } from 'node:fs/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import type { Amounts, Outcome } from './fault.ts'
import { lineOf, tableOf } from './report.ts'

async function versionOf(path: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(repositoryRoot, path, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

/** `docs/reliability.md`: the table of a run with machine, date and versions. */
export async function pageOf(outcomes: readonly Outcome[], amounts: Amounts): Promise<string> {
  const versions = [
    `DSH ${await versionOf('node_modules/@deepseek-ai/dsh')}`,
    `@dsh-mcp/manager ${await versionOf('packages/manager')}`,
    `@dsh-mcp/server ${await versionOf('packages/server')}`,
    `Node ${process.versions.node}`,
  ]
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${release()}`
  return `# Reliability

Written by \`npm run test:faults -- --report docs/reliability.md\`; do not edit. The suite injects faults into a real
harness with both plugins. After each point: the harness answers, servers and logins stand in the state file as they
were, both servers and the MCP endpoint can be called, no process is left over, and no secret is in any file, log or answer.

- Date: ${new Date().toISOString().slice(0, 10)}
- Machine: ${machine}
- Versions: ${versions.join(', ')}
- Amounts: ${amounts.calls} malformed API calls, ${amounts.frames} malformed frames, ${amounts.clients} clients at once, ${amounts.loadSeconds} s of mixed load, seed ${amounts.seed}

${tableOf(outcomes)}

## Each point

\`\`\`
${outcomes.map(lineOf).join('\n')}
\`\`\`
`
}
