import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nodeBinary, repositoryRoot, startChild } from '@dsh-mcp/testkit'

/** The revisions whose frozen requirement sets the suite knows. */
export const revisions = ['2026-07-28', '2025-11-25'] as const
export type Revision = (typeof revisions)[number]

export interface ScenarioResult {
  readonly scenario: string
  /** Part of the frozen set of the revision; the others run for information. */
  readonly required: boolean
  readonly passed: number
  /** `check: message`, one for each check that failed. */
  readonly failures: readonly string[]
}

export interface SuiteResult {
  readonly revision: Revision
  readonly scenarios: readonly ScenarioResult[]
  /** Of the suite: 0 when every required scenario passes or fails exactly as the baseline says. */
  readonly exitCode: number | null
  /** All the suite printed. */
  readonly output: string
}

interface Check {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
}

const suite = join(repositoryRoot, 'e2e/node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Names of the server scenarios that a revision requires. */
export async function requiredServerScenarios(revision: Revision): Promise<readonly string[]> {
  await using child = startChild(nodeBinary, [suite, 'list', '--server', '--requirements', revision], { input: '' })
  await child.exited
  return [...child.stdout().matchAll(/^ {2}- (\S+)$/gm)].map((match) => match[1]!)
}

/** Runs what `revision` requires of a server against `url`. `baseline` names a file of expected failures. */
export async function runServerSuite(url: string, revision: Revision, baseline?: string): Promise<SuiteResult> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-conformance-'))
  try {
    const args = [suite, 'server', '--url', url, '--requirements', revision, '-o', folder]
    if (baseline !== undefined) args.push('--expected-failures', baseline)
    await using child = startChild(nodeBinary, args, { cwd: folder, input: '' })
    const { code } = await child.exited
    const required = new Set(await requiredServerScenarios(revision))
    const scenarios = await Promise.all(
      (await readdir(folder)).toSorted().map((name) => readScenario(join(folder, name), name, required)),
    )
    return { revision, scenarios, exitCode: code, output: child.stdout() + child.stderr() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readScenario(folder: string, name: string, required: ReadonlySet<string>): Promise<ScenarioResult> {
  const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
  const checks = await readChecks(folder)
  return {
    scenario,
    required: required.has(scenario),
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    failures: checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${id}: ${errorMessage ?? 'failed'}`),
  }
}

async function readChecks(folder: string): Promise<readonly Check[]> {
  try {
    return JSON.parse(await readFile(join(folder, 'checks.json'), 'utf8')) as readonly Check[]
  } catch {
    // A scenario that could not even start leaves no checks.
    return [{ id: 'checks', status: 'FAILURE', errorMessage: 'the scenario recorded no check' }]
  }
}
