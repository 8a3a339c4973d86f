import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { rounded, type Row } from '../harness/index.ts'

const rowSchema = z.strictObject({
  name: z.string(),
  value: z.number(),
  unit: z.string(),
  goal: z.number().nullable(),
  better: z.enum(['higher', 'lower']),
  met: z.boolean().nullable(),
})

const resultSchema = z.strictObject({
  bench: z.string(),
  /** Day of the run, `YYYY-MM-DD`. */
  date: z.iso.date(),
  machine: z.string(),
  /** Load average over the minute before the run. */
  load: z.number(),
  /** Name and version of everything that was measured, the runtime included. */
  versions: z.record(z.string(), z.string()),
  rows: z.array(rowSchema).min(1),
})

/** What one bench gave in one run. */
export type BenchResult = z.infer<typeof resultSchema>

const folder = fileURLToPath(new URL('../results', import.meta.url))

/** Keeps a run as the newest of its bench, in `bench/results`. */
export async function keepResult(result: Omit<BenchResult, 'rows'> & { readonly rows: readonly Row[] }): Promise<void> {
  await mkdir(folder, { recursive: true })
  const kept = resultSchema.parse({ ...result, rows: result.rows.map(rounded) })
  await writeFile(join(folder, `${kept.bench}.json`), `${JSON.stringify(kept, null, 2)}\n`)
}

/** The newest kept run of each bench, in the order of their names. */
export async function keptResults(): Promise<readonly BenchResult[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted()
  return Promise.all(
    names.map(async (name) => resultSchema.parse(JSON.parse(await readFile(join(folder, name), 'utf8')))),
  )
}
