import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { printable } from './printable.ts'

test.each([
  ['plain 服务器 é 😀\n\tnext', 'plain 服务器 é 😀\n\tnext'],
  ['one\r\ntwo', 'one\ntwo'],
  ['\u001b[2J\u001b]0;owned\u0007', String.raw`\u{1b}[2J\u{1b}]0;owned\u{7}`],
  ['safe\u202etxt', String.raw`safe\u{202e}txt`],
  ['\u009b31m', String.raw`\u{9b}31m`],
  ['over\rwritten', String.raw`over\u{d}written`],
])('%j is printed as %s', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('nothing that steers a terminal comes through, and twice is as good as once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const shown = printable(text)
      expect(shown).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u)
      expect(printable(shown)).toBe(shown)
    }),
  )
})
