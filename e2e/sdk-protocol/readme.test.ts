import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { nodeBinary, repositoryRoot } from '@dsh-mcp/testkit'
import { beforeAll, afterAll, expect, test } from 'vitest'
import { snippetsFor } from '../documents/proofs.ts'

interface Example {
  readonly file: string
  readonly code: string
  /** What the program prints, when the text says so. */
  readonly prints: string | undefined
}

const run = promisify(execFile)
const packageFolder = join(repositoryRoot, 'packages', 'sdk-protocol')
const english = examplesOf(await readFile(join(packageFolder, 'README.md'), 'utf8'))
const chinese = examplesOf(await readFile(join(packageFolder, 'README.zh-CN.md'), 'utf8'))

/** Code blocks that name their file, each with the `text` block that follows it. */
function examplesOf(markdown: string): readonly Example[] {
  const blocks = /```ts\n\/\/ ([\w-]+\.ts)\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/g
  return [...markdown.matchAll(blocks)].map(([, file, code, prints]) => ({ file: file!, code: code!, prints }))
}

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-readme-'))
  await symlink(fileURLToPath(new URL('../node_modules', import.meta.url)), join(folder, 'node_modules'), 'junction')
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const tsconfig = {
    extends: join(repositoryRoot, 'tsconfig.base.json'),
    compilerOptions: { typeRoots: [join(repositoryRoot, 'node_modules', '@types')], skipLibCheck: false },
    include: ['*.ts'],
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig))
  for (const { file, code } of english) await writeFile(join(folder, file), code)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('there are examples, and both languages show the same ones', () => {
  expect(english.map(({ file }) => file)).toEqual(['runtime.ts', 'client.ts', 'approval.ts', 'notify.ts'])
  expect(chinese).toEqual(english)
  const shown = english.flatMap(({ prints }) => (prints === undefined ? ['ts'] : ['ts', 'text']))
  expect(snippetsFor('programs on the protocol library').map(({ info }) => info)).toEqual(shown)
})

test('they compile, and so do the declarations of the package', async () => {
  const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  const outcome = await run(nodeBinary, [compiler, '-p', folder]).catch((error: { stdout: string }) => error)
  expect(outcome.stdout).toBe('')
})

test.each(english.filter(({ prints }) => prints !== undefined).map((example) => [example.file, example.prints]))(
  '%s prints what stands below it',
  async (file, prints) => {
    const { stdout } = await run(nodeBinary, ['--disable-warning=ExperimentalWarning', file], {
      cwd: folder,
      timeout: 50_000,
    })
    expect(stdout).toBe(prints)
  },
)
