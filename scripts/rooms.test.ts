import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { nodeBinary, repositoryRoot } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { rooms } from './rooms.ts'

let tree: string

/** A tree with the repository's linter configuration and one file. */
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'dsh-mcp-rooms-'))
  for (const path of ['oxlint.config.ts', 'scripts/rooms.ts']) await cp(join(repositoryRoot, path), join(tree, path))
})
afterAll(() => rm(tree, { recursive: true, force: true }))

/** What the linter says of a file that imports a path. */
async function judged(file: string, specifier: string, kind: 'value' | 'type' = 'value'): Promise<string> {
  const path = join(tree, file)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(
    path,
    `${kind === 'type' ? 'import type' : 'import'} { thing } from '${specifier}'\nexport const own: typeof thing = thing\n`,
  )
  try {
    const oxlint = join(repositoryRoot, 'node_modules/oxlint/bin/oxlint')
    return await new Promise((resolve) => {
      execFile(nodeBinary, [oxlint, '--deny-warnings', file], { cwd: tree }, (_, stdout) => resolve(stdout))
    })
  } finally {
    await rm(path)
  }
}

const restricted = 'no-restricted-imports'

test.each([
  ['packages/manager/src/web/a.ts', '../config/index.ts'],
  ['packages/manager/src/connections/http/a.ts', '../../config/index.ts'],
  ['packages/manager/src/connections/http/a.ts', '../session.ts'],
  ['packages/manager/src/client/page/a.ts', '../../web/api-types.ts'],
  ['packages/manager/src/plugin.ts', './web/mount.ts'],
  ['packages/server/src/http/a.ts', '../gateway/index.ts'],
  ['packages/server/src/tools/drive/a.ts', '../outline.ts'],
  ['packages/sdk-protocol/src/streams.ts', 'node:buffer'],
])('%s may import %s', async (file, specifier) => {
  expect(await judged(file, specifier)).toContain('Found 0 warnings and 0 errors.')
})

test.each([
  ['by a window', 'packages/manager/src/web/a.ts', '../config/state-file.ts'],
  ['by a window, from a folder below', 'packages/manager/src/connections/http/a.ts', '../../config/state-file.ts'],
  ['by a window, from the level of the package', 'packages/manager/src/manager.ts', './config/state-file.ts'],
  ['against the flow', 'packages/manager/src/config/a.ts', '../connections/index.ts'],
  ['of the browser half into the rest', 'packages/manager/src/client/page/a.ts', '../../config/index.ts'],
  ['of the protocol into what it serves', 'packages/server/src/gateway/a.ts', '../tools/index.ts'],
  ['of Node in the browser half', 'packages/manager/src/client/page/a.ts', 'node:fs'],
  ['of Node in the library of the wire', 'packages/sdk-protocol/src/a.ts', 'node:fs'],
  ['of the host itself', 'packages/server/src/harness/a.ts', '@deepseek-ai/dsh-agent'],
  ['of the host in the library of the wire', 'packages/sdk-protocol/src/a.ts', '@deepseek-ai/dsh-agent'],
  ['of what puts the rooms together', 'packages/manager/src/tools/schema/a.ts', '../../manager.ts'],
])('an import %s is refused', async (_, file, specifier) => {
  expect(await judged(file, specifier)).toContain(restricted)
})

test('types of the host may be imported', async () => {
  expect(await judged('packages/host/src/a.ts', '@deepseek-ai/dsh-agent', 'type')).not.toContain(restricted)
})

test.each(['manager', 'server'] as const)('every folder of %s is a room', async (name) => {
  const entries = await readdir(join(repositoryRoot, 'packages', name, 'src'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'fixture')
  expect(folders.map((folder) => folder.name).toSorted()).toEqual(Object.keys(rooms[name]).toSorted())
})
