import { spawn } from 'node:child_process'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm run dev`: rebuilds on every change and restarts the harness of `npm start` when a plugin's host half changed. The
 * page's half is reloaded by the harness itself. Arguments go to `npm start`.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const builder = spawn(process.execPath, [join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs'), '--watch'], {
  cwd: root,
  stdio: 'inherit',
})

function startHarness() {
  return spawn(process.execPath, [join(root, 'scripts', 'start', 'main.ts'), ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
}

let harness = startHarness()
let pending: NodeJS.Timeout | undefined
let stopping = false

function restart(): void {
  console.log('dsh-mcp: rebuilt, restarting the harness …')
  harness.once('exit', () => {
    if (!stopping) harness = startHarness()
  })
  harness.kill('SIGTERM')
}

for (const plugin of ['manager', 'server']) {
  watch(join(root, 'packages', plugin, 'lib'), (_event, file) => {
    if (file === null || file.startsWith('client')) return
    clearTimeout(pending)
    pending = setTimeout(restart, 500)
  })
}

function stop(): void {
  stopping = true
  clearTimeout(pending)
  builder.kill('SIGTERM')
  harness.once('exit', () => process.exit(0))
  harness.kill('SIGTERM')
}
process.on('SIGINT', stop)
process.on('SIGTERM', stop)
