import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { oauthErrorCodes } from './errors.ts'
import { escapeHtml, resultPage, resultPageHeaders } from './result-page.ts'

test('nothing of a provider or a server name can become markup', () => {
  const hostile = '</p><script>alert(1)</script><img src=x onerror=alert(1)>"\'`'
  const page = resultPage({ ok: false, code: 'access-denied', detail: hostile, serverName: hostile })
  expect(page).not.toContain('<script')
  expect(page).not.toContain('<img')
  expect(page).toContain('&#60;script&#62;')
})

test('an escaped text holds no character with a meaning', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(escapeHtml(text).replace(/&#\d+;/g, '')).not.toMatch(/[<>&"'`]/)
    }),
  )
})

test('every code has a page in both languages', () => {
  for (const code of oauthErrorCodes) {
    const page = resultPage({ ok: false, code })
    expect(page, code).toMatch(/lang="zh-CN"><h1>[^<]*\p{Script=Han}/u)
    expect(page, code).toMatch(/lang="en"><h1>[A-Z]/)
  }
})

test('the page runs nothing, is not stored and cannot be framed', () => {
  expect(resultPageHeaders['content-security-policy']).toContain("default-src 'none'")
  expect(resultPageHeaders['content-security-policy']).toContain("frame-ancestors 'none'")
  expect(resultPageHeaders['cache-control']).toBe('no-store')
  expect(resultPageHeaders['referrer-policy']).toBe('no-referrer')
})
