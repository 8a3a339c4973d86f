import { assert, json, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { maxJsonDepth, parseJson } from './parse-json.ts'

test('valid text gives what JSON.parse gives', () => {
  assert(
    property(json(), (text) => {
      expect(parseJson(text)).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  ['{\n"a": 1,\n"token": planted-secret\n}', 'line 3 is not valid JSON'],
  ['{\n"token": "planted-secret"\n', 'line 3 is not valid JSON'],
  ['{"token": "planted-secret" "b": 2}', 'line 1 is not valid JSON'],
  ['planted-secret', 'line 1 is not valid JSON'],
  ['', 'line 1 is not valid JSON'],
])('%j is refused with its line and nothing of its text', (text, message) => {
  let thrown: unknown
  try {
    parseJson(text)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(SyntaxError)
  expect(thrown).toMatchObject({ message })
  expect((thrown as Error).cause).toBeUndefined()
  expect((thrown as Error).stack).not.toContain('planted')
})

test('no message ever quotes the text', () => {
  assert(
    property(string({ minLength: 6 }), (noise) => {
      const planted = `planted${noise}secret`
      try {
        parseJson(`{"a": ${planted}`)
      } catch (error) {
        return !(error as Error).message.includes('planted')
      }
      return true
    }),
  )
})

test('nesting is bounded, brackets inside of strings do not count', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  expect(parseJson(nested(maxJsonDepth))).toBeDefined()
  expect(() => parseJson(nested(maxJsonDepth + 1))).toThrow('nested more than 200 levels deep')
  expect(() => parseJson(`{"a":\n${nested(200_000)}}`)).toThrow('line 2 is nested')
  expect(parseJson(JSON.stringify({ a: '"['.repeat(1000) }))).toEqual({ a: '"['.repeat(1000) })
})
