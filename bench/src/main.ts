import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { jsonOf, tableOf, type Row } from '../harness/index.ts'

/**
 * `npm run bench -- <name> [arguments]`: runs one bench, prints its table and, as the last line, one JSON object.
 *
 * A bench is `<name>.ts` or `<name>/index.ts` beside this file and exports `run(args)`, which gives the rows. Progress goes
 * to standard error. A missed goal does not change the exit code: the rows tell. Exit 1 means that it could not measure,
 * 2 that there is no such bench.
 */
interface BenchModule {
  run(args: readonly string[]): Promise<readonly Row[]>
}

const folder = fileURLToPath(new URL('.', import.meta.url))

function benchFiles(): Map<string, string> {
  const files = new Map<string, string>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const index = join(folder, entry.name, 'index.ts')
    if (entry.isDirectory() && existsSync(index)) files.set(entry.name, index)
    else if (/^[\w-]+\.ts$/.test(entry.name) && entry.name !== 'main.ts') {
      files.set(entry.name.slice(0, -'.ts'.length), join(folder, entry.name))
    }
  }
  return files
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  const files = benchFiles()
  const file = name === undefined ? undefined : files.get(name)
  if (name === undefined || file === undefined) {
    const names = [...files.keys()].toSorted().join(', ')
    process.stderr.write(
      `${name === undefined ? 'Which bench?' : `There is no bench "${name}".`} One of: ${names || 'none yet'}\n`,
    )
    return 2
  }
  const { run } = (await import(pathToFileURL(file).href)) as BenchModule
  const rows = await run(args)
  console.log(`\n${tableOf(rows)}\n`)
  console.log(jsonOf(name, rows))
  return 0
}

process.exitCode = await main(process.argv.slice(2))
