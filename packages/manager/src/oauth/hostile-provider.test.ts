import { describe, expect, test } from 'vitest'
import { answer, login, openQuirkyScene } from './quirky-scene.ts'
import { resultPage } from './result-page.ts'

const markup = '</p><script>window.pwned=1</script><img src=x onerror=alert(1)>\u202e'

test.each([
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'vbscript:x',
  'not a url',
  'http://login.evil.example/authorize',
  'https://user:password@login.example/authorize',
  'https://169.254.169.254/latest',
  'https://[::ffff:169.254.169.254]/latest',
  'https://0xa9fea9fe/latest',
])('the browser is not sent to %s', async (page) => {
  await using scene = await openQuirkyScene({ quirks: { metadata: () => ({ authorization_endpoint: page }) } })
  await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'unsafe-url' })
  expect(scene.provider.requestsTo('/register')).toEqual([])
})

test.each(['token_endpoint', 'registration_endpoint', 'revocation_endpoint'])(
  'nothing is sent to a %s that is no web address',
  async (name) => {
    await using scene = await openQuirkyScene({ quirks: { metadata: () => ({ [name]: 'file:///etc/passwd' }) } })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'unsafe-url' })
  },
)

describe('a document', () => {
  const wellKnown = '/.well-known/oauth-authorization-server'

  test('of more than a mebibyte is not read', async () => {
    await using scene = await openQuirkyScene({
      quirks: {
        intercept: ({ path }, response) =>
          path.startsWith(wellKnown) && answer(response, 200, JSON.stringify({ issuer: 'x'.repeat(2 * 1024 * 1024) })),
      },
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'too-large' })
  })

  test('that redirects without end is given up', async () => {
    let hops = 0
    await using scene = await openQuirkyScene({
      quirks: {
        intercept: ({ path }, response) =>
          path.startsWith(wellKnown) && answer(response, 302, '', { location: `${wellKnown}?hop=${++hops}` }),
      },
    })
    await expect(scene.rig.begin()).rejects.toThrow(/redirect/)
    expect(hops).toBeLessThanOrEqual(4)
  })

  test('that comes a byte at a time ends in time', async () => {
    const drips = new Set<NodeJS.Timeout>()
    await using scene = await openQuirkyScene({
      quirks: {
        intercept({ path }, response) {
          if (!path.startsWith(wellKnown)) return false
          response.writeHead(200, { 'content-type': 'application/json' })
          drips.add(setInterval(() => response.write(' '), 50))
          return true
        },
      },
      rig: { requestTimeoutMs: 400 },
    })
    await expect(scene.rig.begin()).rejects.toMatchObject({ code: 'timeout', stage: 'discovery' })
    for (const drip of drips) clearInterval(drip)
  })
})

test.each([
  ['on the way back', { callback: { error: 'access_denied', error_description: markup.repeat(50) } }],
  ['at the token endpoint, as JSON', { token: JSON.stringify({ error: 'invalid_grant', error_description: markup }) }],
  ['at the token endpoint, as a page', { token: `<html>${markup}` }],
])(
  'what it says %s is text on the page, and short',
  async (_, said: { callback?: Record<string, string>; token?: string }) => {
    await using scene = await openQuirkyScene({
      quirks: {
        ...(said.callback !== undefined && { callback: said.callback }),
        intercept: ({ path }, response) =>
          said.token !== undefined && path.endsWith('/token') && answer(response, 400, said.token),
      },
    })
    const { result } = await login(scene)
    expect(result.ok).toBe(false)
    const page = resultPage(result)
    expect(page).not.toMatch(/<script|<img|onerror=alert\(1\)>/)
    expect(page.length).toBeLessThan(6_000)
    expect(scene.rig.log()).not.toContain('\u202e')
  },
)
