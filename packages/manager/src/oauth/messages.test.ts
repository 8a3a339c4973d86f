import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { oauthErrorCodes } from './errors.ts'
import { endedText } from './token-source.ts'

test.each(['docs/oauth.md', 'docs/oauth.zh-CN.md'])('%s tells of every code, and of no other', async (path) => {
  const text = await readFile(join(repositoryRoot, path), 'utf8')
  const documented = [...text.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code)
  expect(documented).toEqual([...oauthErrorCodes])
})

test.each([
  'invalid_grant',
  'invalid_client',
  'no-refresh-token',
  'not-saved',
  'issuer-changed',
  'refused-after-refresh',
])('the text of a login that ended by %s says what to do', (code) => {
  expect(endedText(code)).toMatch(/log in again/)
})
