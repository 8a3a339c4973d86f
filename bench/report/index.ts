import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { provenance, repositoryRoot } from '@dsh-mcp/testkit'
import type { Row } from '../harness/index.ts'
import { withFigures } from './figures.ts'
import { pageOf } from './page.ts'
import { keepResult, keptResults } from './result.ts'

/** Keeps a whole run of a bench with its date, machine and versions. `load`: the load average before it. */
export async function keepRun(bench: string, rows: readonly Row[], load: number): Promise<void> {
  const { date, machine, versions } = await provenance()
  const manifest = JSON.parse(await readFile(join(repositoryRoot, 'bench', 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>
  }
  const peers = Object.entries(manifest.devDependencies).filter(([name]) => !name.startsWith('@dsh-mcp/'))
  await keepResult({ bench, date, machine, load, versions: { ...versions, ...Object.fromEntries(peers) }, rows })
}

/** The documents that {@link writeReport} writes, with what they should hold: path below the root → text. */
export async function reportedDocuments(): Promise<Readonly<Record<string, string>>> {
  const results = await keptResults()
  const readme = (name: string): Promise<string> => readFile(join(repositoryRoot, name), 'utf8')
  return {
    'docs/performance.md': pageOf(results, 'en'),
    'docs/performance.zh-CN.md': pageOf(results, 'zh'),
    'README.md': withFigures(await readme('README.md'), results, 'en'),
    'README.zh-CN.md': withFigures(await readme('README.zh-CN.md'), results, 'zh'),
  }
}

/** Writes the performance pages and the figures in the READMEs from the kept runs. */
export async function writeReport(): Promise<void> {
  for (const [path, text] of Object.entries(await reportedDocuments())) {
    await writeFile(join(repositoryRoot, path), text)
  }
}
