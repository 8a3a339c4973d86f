import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskUrl, maskValues, unmaskUrl, unmaskValues } from './mask.ts'

test.each([
  ['https://user:pass@host.example/mcp', 'https://••••@host.example/mcp'],
  ['https://token@host.example/mcp', 'https://••••@host.example/mcp'],
  ['https://a:b@c@host.example/', 'https://••••@host.example/'],
  ['https://h.example/mcp?api_key=K&x=1&Token=T#f', 'https://h.example/mcp?api_key=••••&x=1&Token=••••#f'],
  ['https://h.example/mcp?token=${TOKEN}', 'https://h.example/mcp?token=${TOKEN}'],
  ['https://h.example/mcp?token=', 'https://h.example/mcp?token='],
  ['https://h.example/a@b?page=2', 'https://h.example/a@b?page=2'],
  ['${BASE}/mcp?key=k', '${BASE}/mcp?key=••••'],
])('%s is shown as %s, and goes back', (url, shown) => {
  expect(maskUrl(url)).toBe(shown)
  expect(unmaskUrl(shown, url)).toBe(url)
})

test.each([
  ['nothing stored', 'https://••••@h.example/', undefined],
  ['nothing stored there', 'https://h.example/?key=••••', 'https://u:p@h.example/'],
  ['another host', 'https://••••@evil.example/', 'https://u:p@h.example/'],
  ['another port', 'https://h.example:8443/?token=••••', 'https://h.example/?token=t'],
])('a mask with %s behind it is refused', (_, given, old) => {
  expect(() => unmaskUrl(given, old)).toThrow('enter it')
})

test('values are masked, but for those that are empty or only name a variable; the mask brings them back', () => {
  const stored = { KEY: 'k', EMPTY: '', REF: '${TOKEN}', MIXED: 'x${TOKEN}' }
  const shown = maskValues(stored)
  expect(shown).toEqual({ KEY: '••••', EMPTY: '', REF: '${TOKEN}', MIXED: '••••' })
  expect(unmaskValues('env', { ...shown, NEW: 'n' }, stored)).toEqual({ ...stored, NEW: 'n' })
  expect(() => unmaskValues('env', { OTHER: '••••' }, stored)).toThrow('env.OTHER')
})

test('a changed path keeps the stored credentials', () => {
  expect(unmaskUrl('https://••••@h.example/new?token=••••', 'https://u:p@h.example/old?token=t')).toBe(
    'https://u:p@h.example/new?token=t',
  )
})

test('no credential in an address is ever shown', () => {
  const word = fc.string({
    minLength: 6,
    maxLength: 20,
    unit: fc.constantFrom('a', 'b', 'X', 'Y', '0', '9', '-', '_', '.', '~', '%'),
  })
  fc.assert(
    fc.property(
      word,
      word,
      fc.constantFrom('token', 'apiKey', 'access_token', 'sig', 'PASSWORD'),
      (user, secret, name) => {
        const shown = maskUrl(`https://${user}:${secret}@host.example/mcp?a=1&${name}=${secret}`)
        expect(shown).toBe(`https://••••@host.example/mcp?a=1&${name}=••••`)
      },
    ),
  )
})
