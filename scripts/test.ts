import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * `npm test [-- filter …]`: all tests but the slow ones; `npm run test:slow`: the slow ones. Arguments go to vitest.
 * The exit code is vitest's, which the reporter raises for a skip without a reason.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const slow = process.argv.includes('--slow')
const filters = process.argv.slice(2).filter((argument) => argument !== '--slow')
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const child = spawn(process.execPath, [vitest, 'run', ...filters], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, DSH_MCP_SLOW: slow ? '1' : '0' },
})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
