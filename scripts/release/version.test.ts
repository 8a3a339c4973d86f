import { expect, test } from 'vitest'
import { nextVersion, withReleaseNames, withVersion } from './version.ts'

test.each([
  ['0.1.0', 'patch', '0.1.1'],
  ['0.1.9', 'minor', '0.2.0'],
  ['0.9.1', 'major', '1.0.0'],
  ['0.1.0', '0.3.0-rc.1', '0.3.0-rc.1'],
  ['0.3.0-rc.1', '0.3.0', '0.3.0'],
  ['0.1.0', '0.1.0', '0.1.0'],
])('from %s by "%s" to %s', (current, wanted, next) => {
  expect(nextVersion(current, wanted)).toBe(next)
})

test.each([
  ['0.1.0', '0.0.9', '0.0.9 is below the current version 0.1.0'],
  ['0.1.0', '0.1.0-rc.1', '0.1.0-rc.1 is below'],
  ['0.1.0', '0.1.1-', '"0.1.1-" is no version'],
  ['0.1.0', 'v1.0.0', '"v1.0.0" is no version'],
  ['0.1.0', 'next', 'say patch, minor, major'],
])('from %s, "%s" is refused', (current, wanted, reason) => {
  expect(() => nextVersion(current, wanted)).toThrow(reason)
})

test('a manifest changes in its own version only', () => {
  const manifest = '{\n  "name": "a",\n  "version": "0.1.0",\n  "x": {\n    "version": "0.1.0"\n  }\n}\n'
  expect(withVersion(manifest, '0.2.0')).toBe(manifest.replace('0.1.0', '0.2.0'))
  expect(() => withVersion('{\n  "x": {\n    "version": "1.0.0"\n  }\n}', '2.0.0')).toThrow('no version')
})

test('a document names tarballs, tag and endpoint file of the version, and keeps the versions of others', () => {
  const text = [
    'add ./artifacts/dsh-mcp-manager-0.1.0.tgz',
    'dsh-mcp-sdk-protocol-0.2.0-rc.1.tgz on DSH 0.1.0-rc.8',
    'github:<owner>/dsh-mcp#v0.1.0&path:/packages/server',
    '{ "version": "2.0" }',
    '  "pid": 4711,',
    '  "version": "0.1.0",',
  ]
  expect(withReleaseNames(text.join('\n'), '0.3.0').split('\n')).toEqual([
    'add ./artifacts/dsh-mcp-manager-0.3.0.tgz',
    'dsh-mcp-sdk-protocol-0.3.0.tgz on DSH 0.1.0-rc.8',
    'github:<owner>/dsh-mcp#v0.3.0&path:/packages/server',
    '{ "version": "2.0" }',
    '  "pid": 4711,',
    '  "version": "0.3.0",',
  ])
})
