// Runs a script of this repository, or with --bin a tool of its node_modules, on the Node 24 that the set-up installed:
// `node scripts/run.mjs scripts/test.ts …`, `node scripts/run.mjs --bin oxfmt …`.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
if (!existsSync(node)) {
  process.stderr.write('dsh-mcp: nothing is installed yet. Run `npm run setup` first.\n')
  process.exit(1)
}

function toolPath(name) {
  const folder = join(root, 'node_modules', name)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return join(folder, typeof bin === 'string' ? bin : bin[name])
}

const [first, ...rest] = process.argv.slice(2)
const args = first === '--bin' ? [toolPath(rest[0]), ...rest.slice(1)] : [join(root, first), ...rest]
const child = spawn(node, ['--disable-warning=ExperimentalWarning', ...args], { stdio: 'inherit' })
// The terminal sends Ctrl-C to the whole group; a supervisor sends SIGTERM to us alone.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
// npm ends without passing SIGTERM on; then nobody waits for us any more. Told once: a second signal would end the program
// in the middle of ending what it started.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  child.kill('SIGTERM')
}, 500).unref()
child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)))
