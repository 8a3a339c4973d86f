import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { dshHome } from './home.ts'

test.each([
  [undefined, join(homedir(), '.dsh')],
  ['', join(homedir(), '.dsh')],
  ['  \t', join(homedir(), '.dsh')],
  ['/srv/harness', resolve('/srv/harness')],
  ['/srv/x/../harness/', resolve('/srv/harness')],
  ['relative/home', resolve('relative/home')],
  ['~', homedir()],
  ['~/elsewhere', join(homedir(), 'elsewhere')],
  ['~someone', resolve('~someone')],
])('DSH_HOME=%j is %s', (value, expected) => {
  expect(dshHome({ DSH_HOME: value })).toBe(expected)
})
