import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `npm run check`: every static check of the repository, each with its time. Warnings count as failures. */
const root = fileURLToPath(new URL('..', import.meta.url))

function tool(name: string, bin = name): string {
  const folder = join(root, 'node_modules', name)
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
  }
  return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]!)
}

const published = ['manager', 'server', 'sdk-protocol'].map((name) => join('packages', name))

const steps: readonly { readonly name: string; readonly args: readonly string[] }[] = [
  { name: 'types', args: [tool('typescript', 'tsc'), '-p', 'tsconfig.json'] },
  { name: 'types (browser)', args: [tool('typescript', 'tsc'), '-p', 'packages/manager/tsconfig.client.json'] },
  { name: 'lint', args: [tool('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', args: [tool('oxfmt'), '--check', '.'] },
  { name: 'unused code', args: [tool('knip'), '--treat-config-hints-as-errors'] },
  { name: 'docs/tools.md', args: ['scripts/tools-doc.ts', '--check'] },
  ...published.map((path) => ({ name: `publint ${path}`, args: [tool('publint'), path, '--strict'] })),
  {
    // The plugins are loaded by the harness and ship no types that could be wrong.
    name: 'attw packages/sdk-protocol',
    args: [tool('@arethetypeswrong/cli', 'attw'), '--pack', 'packages/sdk-protocol', '--profile', 'esm-only'],
  },
]

function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

let failed = 0
for (const step of steps) {
  const started = performance.now()
  const { code, output } = await run(step.args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${step.name} (${seconds} s)`)
  if (code !== 0) {
    failed++
    console.log(output)
  }
}
console.log(failed === 0 ? 'All checks passed.' : `${failed} of ${steps.length} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1
