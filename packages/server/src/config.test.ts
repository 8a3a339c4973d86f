import { expect, test } from 'vitest'
import { bodyLimits, Config, validateConfig } from './config.ts'

function valueOf(input: unknown) {
  const result = validateConfig(input)
  if ('issues' in result) throw new Error(JSON.stringify(result.issues))
  return result.value
}

test.each([[undefined], [null], [{}]])('%j gets every default', (input) => {
  expect(valueOf(input)).toMatchObject({ allowConnectionAuth: true, maxBodyBytes: 8 * 1024 * 1024, publicOrigins: [] })
})

test.each([
  [1, bodyLimits.min],
  [1024, 1024],
  [5000.9, 5000],
  [1e12, bodyLimits.max],
  [-5, bodyLimits.min],
])('maxBodyBytes %d is clamped to %d', (given, bytes) => {
  expect(valueOf({ maxBodyBytes: given }).maxBodyBytes).toBe(bytes)
})

test('what is given is taken', () => {
  const given = {
    allowConnectionAuth: false,
    endpointDirectory: '/x',
    token: 'a-token-of-some-length',
    instructions: 'More',
    publicOrigins: ['https://a.example', 'http://b.example:8080'],
  }
  expect(valueOf(given)).toMatchObject(given)
})

test.each([
  ['allowConnectionAuth', 'yes'],
  ['maxBodyBytes', '8'],
  ['maxBodyBytes', Number.NaN],
  ['endpointDirectory', ''],
  ['token', 'short'],
  ['token', 'with white space in it'],
  ['token', 'umlaut-größe-umlaut'],
  ['instructions', 7],
  ['publicOrigins', 'https://a.example'],
  ['publicOrigins', ['https://a.example/path']],
  ['publicOrigins', ['a.example']],
])('%s: %j is named as the issue', (key, value) => {
  expect(validateConfig({ [key]: value })).toEqual({ issues: [{ message: expect.any(String), path: [key] }] })
})

test('anything but an object is an issue', () => {
  expect(Config['~standard'].validate([])).toEqual({ issues: [{ message: 'must be an object', path: [] }] })
})
