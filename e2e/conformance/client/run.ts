import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBinary, repositoryRoot, startChild } from '@dsh-mcp/testkit'
import type { Revision } from '../suite.ts'

const suite = join(repositoryRoot, 'e2e/node_modules/@modelcontextprotocol/conformance/dist/index.js')
const driver = fileURLToPath(new URL('driver.program.ts', import.meta.url))

/** What one run of one scenario gave. */
export interface ClientResult {
  readonly scenario: string
  readonly passed: number
  /** `check: message`, one for each check that failed. */
  readonly failures: readonly string[]
  /** Whether it passed only when repeated. */
  readonly repeated: boolean
}

/** Names of the client scenarios that a revision requires. */
export async function requiredClientScenarios(revision: Revision): Promise<readonly string[]> {
  await using child = startChild(nodeBinary, [suite, 'list', '--client', '--requirements', revision], { input: '' })
  await child.exited
  const section = child.stdout().split('Client scenarios')[1]?.split('never scored')[0] ?? ''
  return [...section.matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]!)
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

async function checksBelow(folder: string): Promise<readonly Check[]> {
  const files = (await readdir(folder, { recursive: true })).filter((path) => path.endsWith('checks.json'))
  const read = files.map(async (path) => JSON.parse(await readFile(join(folder, path), 'utf8')) as readonly Check[])
  return (await Promise.all(read)).flat()
}

async function runOnce(scenario: string, revision: Revision): Promise<Omit<ClientResult, 'repeated'>> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-conformance-'))
  try {
    const args = ['--scenario', scenario, '--spec-version', revision, '--timeout', '60000', '-o', folder]
    const command = `${nodeBinary} ${driver}`
    await using child = startChild(nodeBinary, [suite, 'client', '--command', command, ...args], {
      cwd: folder,
      input: '',
    })
    const { code } = await child.exited
    const checks = await checksBelow(folder)
    const failures = checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`)
    const output = `${child.stdout()}\n${child.stderr()}`.slice(-1_500)
    if (code !== 0 && failures.length === 0) failures.push(`the suite ended with code ${code}: ${output}`)
    return { scenario, passed: checks.filter(({ status }) => status === 'SUCCESS').length, failures }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs one scenario against the driver; one that fails is repeated once, since the suite's own servers may be slow. */
export async function runClientScenario(scenario: string, revision: Revision): Promise<ClientResult> {
  const first = await runOnce(scenario, revision)
  if (first.failures.length === 0) return { ...first, repeated: false }
  const second = await runOnce(scenario, revision)
  return { ...second, repeated: second.failures.length === 0 }
}
