import { expect, test } from 'vitest'
import { shownWord, visible } from './visible.ts'

test.each([
  ['npx -y 服务器 é 😀', 'npx -y 服务器 é 😀'],
  ['safe\u202etxt.exe', String.raw`safe\u{202e}txt.exe`],
  ['a\u200bb\ufeff', String.raw`a\u{200b}b\u{feff}`],
  ['\u001b[2J', String.raw`\u{1b}[2J`],
  ['line\u2028two', String.raw`line\u{2028}two`],
  ['tag\u{e0041}', String.raw`tag\u{e0041}`],
])('nothing hides in %j', (text, shown) => {
  expect(visible(text)).toBe(shown)
})

test('a word of a command keeps its quotes', () => {
  expect(shownWord('a "b"\n\u202e')).toBe(String.raw`"a \"b\"\n\u{202e}"`)
})
