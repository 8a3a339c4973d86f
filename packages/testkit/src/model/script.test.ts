import { expect, test } from 'vitest'
import { parseScript } from './script.ts'

test('a call ends its request and the last request has no call', () => {
  expect(parseScript('please\ncall a {"x":1}\nalso b\ncall c {}')).toEqual([
    [
      { kind: 'call', tool: 'a', arguments: '{"x":1}' },
      { kind: 'call', tool: 'b', arguments: '{}' },
    ],
    [{ kind: 'call', tool: 'c', arguments: '{}' }],
    [],
  ])
})

test('text around a call stays in the request of that call', () => {
  expect(parseScript('say first\ncall a {}\nsleep 5\nsay last word')).toEqual([
    [
      { kind: 'say', text: 'first' },
      { kind: 'call', tool: 'a', arguments: '{}' },
    ],
    [
      { kind: 'sleep', ms: 5 },
      { kind: 'say', text: 'last word' },
    ],
  ])
})

test('lines that are no steps are ignored, also those named like object members', () => {
  expect(parseScript('constructor x\nhello\nstream 3 10 a b')).toEqual([
    [{ kind: 'stream', chunks: 3, delayMs: 10, text: 'a b' }],
  ])
})
