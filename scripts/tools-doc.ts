import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { toolReference } from '../packages/server/src/tools/reference.ts'

/** `scripts/tools-doc.ts` writes `docs/tools.md` from the schemas of the tools; with `--check` it only says whether it is fresh. */
const path = fileURLToPath(new URL('../docs/tools.md', import.meta.url))
const fresh = toolReference()

if (process.argv.includes('--check')) {
  const written = await readFile(path, 'utf8').catch(() => '')
  if (written !== fresh) {
    console.error('docs/tools.md is not what the tools say. Write it anew: node scripts/run.mjs scripts/tools-doc.ts')
    process.exitCode = 1
  }
} else {
  await writeFile(path, fresh)
}
