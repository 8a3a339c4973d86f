import { mkdir, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { resolveWorkspaceChain, workspaceChain } from './chain.ts'

test.each([
  ['/home/me/a/b', '/home/me', ['/home/me/a/b', '/home/me/a']],
  ['/home/me', '/home/me', ['/home/me']],
  ['/srv/app', '/home/me', ['/srv/app', '/srv']],
  ['/', '/home/me', ['/']],
])('%s with home %s', (cwd, home, chain) => {
  expect(workspaceChain(cwd, home)).toEqual(chain)
})

test('a symlink and a subfolder resolve to the same workspace; a missing folder to none', async () => {
  await using temporary = await temporaryHome()
  const base = await realpath(temporary.path)
  await mkdir(join(base, 'project', 'sub'), { recursive: true })
  await symlink(join(base, 'project'), join(base, 'link'))
  expect(await resolveWorkspaceChain(join(base, 'link'))).toContain(join(base, 'project'))
  expect((await resolveWorkspaceChain(join(base, 'link', 'sub')))[1]).toBe(join(base, 'project'))
  expect(await resolveWorkspaceChain(join(base, 'nowhere'))).toEqual([])
  expect(await resolveWorkspaceChain(undefined)).toEqual([])
})
