import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run pack`: the tarballs of the three published packages, in `artifacts/`. */
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'artifacts')
const pnpm = join(root, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const name of ['manager', 'server', 'sdk-protocol']) {
  const cwd = join(root, 'packages', name)
  const { status } = spawnSync(process.execPath, [pnpm, 'pack', '--pack-destination', folder], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) {
    console.error(`dsh-mcp: packing packages/${name} failed (exit ${status}).`)
    process.exit(1)
  }
}
console.log(`The tarballs are in ${folder}`)
