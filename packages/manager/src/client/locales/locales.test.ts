import { expect, test } from 'vitest'
import { en, zh } from './index.ts'

const parameters = (text: string): string[] =>
  [...text.matchAll(/(?<!\$)\{(\w+)\}/g)].map((match) => match[1]!).toSorted()

test('both dictionaries have the same keys, none empty, with the same parameters', () => {
  expect(Object.keys(zh)).toEqual(Object.keys(en))
  for (const [key, text] of Object.entries(en)) {
    const chinese = zh[key as keyof typeof zh]
    expect(text.trim(), key).not.toBe('')
    expect(chinese.trim(), key).not.toBe('')
    expect(parameters(chinese), key).toEqual(parameters(text))
  }
})
