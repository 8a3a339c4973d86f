// Installs and builds what `npm start` and `npm test` need. Runs on the Node of the user (20 or newer) and imports only
// Node's own modules. A second run with nothing changed only compares two hashes.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = join(root, 'node_modules', '.setup-stamp')
const windows = process.platform === 'win32'

function say(text) {
  process.stderr.write(`dsh-mcp: ${text}\n`)
}

function fail(text) {
  say(text)
  process.exit(1)
}

function filesBelow(directory, skip, found = []) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (skip.has(entry.name)) continue
    const path = join(directory, entry.name)
    if (entry.isDirectory()) filesBelow(path, skip, found)
    else if (entry.isFile()) found.push(path)
  }
  return found.toSorted()
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(relative(root, path)).update('\0').update(readFileSync(path)).update('\0')
  return hash.digest('hex')
}

function packageFolders() {
  const below = (folder) => readdirSync(join(root, folder)).map((name) => join(root, folder, name))
  return [root, ...below('packages'), join(root, 'e2e'), join(root, 'bench')]
}

function installHash() {
  const manifests = packageFolders()
    .map((folder) => join(folder, 'package.json'))
    .filter((path) => existsSync(path))
  return hashOf([...manifests, join(root, 'pnpm-lock.yaml'), join(root, 'pnpm-workspace.yaml')])
}

function buildHash() {
  const skip = new Set(['node_modules', 'lib'])
  return hashOf([join(root, 'tsdown.config.ts'), ...filesBelow(join(root, 'packages'), skip)])
}

function readStamp() {
  try {
    return JSON.parse(readFileSync(stampFile, 'utf8'))
  } catch {
    // No stamp, or a torn one: set up from the start.
    return {}
  }
}

/** Runs a command; shows the lines that `progress` matches, and everything when it fails. */
async function run(step, command, args, hint, progress) {
  const started = Date.now()
  say(`${step} …`)
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], shell: windows })
  let output = ''
  const read = (chunk) => {
    output += chunk
    for (const line of String(chunk).split('\n')) if (progress?.test(line)) say(`  ${line}`)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const code = await new Promise((resolve) => {
    child.on('error', (error) => resolve(`could not start: ${error.message}`))
    child.on('close', (exit, signal) => resolve(exit ?? signal))
  })
  if (code !== 0) fail(`${output}\n${step} failed (${code}). ${hint}`)
  say(`${step}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`)
}

const major = Number(process.versions.node.split('.')[0])
if (major < 20) fail(`Node ${process.versions.node} is too old: Node 20 or newer is needed. See https://nodejs.org.`)

let stamp = readStamp()
const install = installHash()
if (stamp.install !== install) {
  rmSync(stampFile, { force: true })
  await run(
    'installing (half a minute the first time)',
    'npx',
    ['--yes', 'pnpm@10', 'install', '--frozen-lockfile', '--reporter=append-only'],
    'Check the network and the npm registry setting, then run the command again.',
    /^Progress: /,
  )
  // The package `node` also leaves a shell script of that name, which npm's scripts would run and which passes no signal on.
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(root, 'node_modules', '.bin', name), { force: true })
  stamp = { install }
}
const build = buildHash()
const built = ['manager', 'server', 'sdk-protocol'].every((name) => existsSync(join(root, 'packages', name, 'lib')))
if (stamp.build !== build || !built) {
  const node = join(root, 'node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')
  await run(
    'building',
    node,
    [join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs')],
    'The lines above name the file.',
  )
  writeFileSync(stampFile, JSON.stringify({ install, build }))
}
