import { mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openStateFile } from './open-state-file.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-drafts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const left = 'mcp-manager.json.4194305.0a1b2c3d-0000-4000-8000-000000000000.draft'
/** What a living writer, this very process, has not renamed yet. */
const underWay = `mcp-manager.json.${process.pid}.0a1b2c3d-0000-4000-8000-000000000000.draft`
const others = [underWay, 'mcp-manager.json.bak', 'mcp-manager.json.old.draft', `other-${left}`, `${left}.tmp`]

async function leaveDraft(): Promise<void> {
  for (const name of [left, ...others]) await writeFile(join(folder, name), '{"servers":[]}')
}

test.each([
  ['a valid file', '{"servers":[]}'],
  ['a broken file', '{"servers":['],
])('the copy a killed writer left beside %s goes at the first look; nothing else does', async (_name, text) => {
  const path = join(folder, 'mcp-manager.json')
  await writeFile(path, text)
  await leaveDraft()
  const file = openStateFile(path, { pollMs: 0 })
  await file.reload()
  await vi.waitFor(async () =>
    expect((await readdir(folder)).toSorted()).toEqual(['mcp-manager.json', ...others].toSorted()),
  )
  await file.close()
})

test('it also goes with a change made later, behind a symbolic link too', async () => {
  const path = join(folder, 'link.json')
  await writeFile(join(folder, 'mcp-manager.json'), '{"servers":[]}')
  await symlink('mcp-manager.json', path)
  const file = openStateFile(path, { pollMs: 0 })
  await file.reload()
  await leaveDraft()
  await file.update((draft) => void (draft.onDemandToolInjection = true))
  expect((await readdir(folder)).toSorted()).toEqual(['link.json', 'mcp-manager.json', ...others].toSorted())
  await file.close()
})
