import { existsSync, readdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { jsonOf, tableOf, type Row } from '../harness/index.ts'
import { keepRun, writeReport } from '../report/index.ts'

/**
 * `npm run bench -- <name> [parts]`: runs one bench, prints its table and, as the last line, one JSON object.
 * With `--keep` the run is kept in `bench/results`. `npm run bench -- --report` writes the pages and the figures of the
 * READMEs from what is kept.
 *
 * A bench is `<name>.ts` or `<name>/index.ts` beside this file and exports `run(parts)`, which gives the rows. Progress goes
 * to standard error. A missed goal does not change the exit code: the rows tell. Exit 1 means that it could not measure,
 * 2 that it was asked for something there is not.
 */
interface BenchModule {
  run(parts: readonly string[]): Promise<readonly Row[]>
}

const folder = fileURLToPath(new URL('.', import.meta.url))

function benchFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const index = join(folder, entry.name, 'index.ts')
    if (entry.isDirectory() && existsSync(index)) files.set(entry.name, index)
    else if (/^[\w-]+\.ts$/.test(entry.name) && !/^main\.|\.test\.ts$/.test(entry.name)) {
      files.set(entry.name.slice(0, -'.ts'.length), join(folder, entry.name))
    }
  }
  return files
}

function refuse(text: string): number {
  process.stderr.write(`${text}\n`)
  return 2
}

async function main(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { keep: { type: 'boolean', default: false }, report: { type: 'boolean', default: false } },
  })
  const [name, ...parts] = positionals
  if (values.report) {
    await writeReport()
    return 0
  }
  const files = benchFiles()
  const file = name === undefined ? undefined : files.get(name)
  if (name === undefined || file === undefined) {
    const names = [...files.keys()].toSorted().join(', ')
    return refuse(`${name === undefined ? 'Which bench?' : `There is no bench "${name}".`} One of: ${names}`)
  }
  if (values.keep && parts.length > 0) return refuse('Only a whole run can be kept: leave out --keep or the parts.')
  const { run } = (await import(pathToFileURL(file).href)) as BenchModule
  const loadBefore = loadavg()[0] ?? 0
  const rows = await run(parts)
  console.log(`\n${tableOf(rows)}\n`)
  if (values.keep) await keepRun(name, rows, loadBefore)
  console.log(jsonOf(name, rows))
  return 0
}

process.exitCode = await main(process.argv.slice(2))
