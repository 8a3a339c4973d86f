import { describe, expect, test } from 'vitest'
import { noAuthorization, staticToken } from './authorization.ts'

const signal = new AbortController().signal
const refusal = {
  status: 401 as const,
  challenge: undefined,
  serverUrl: new URL('http://127.0.0.1/mcp'),
  method: 'initialize',
  token: undefined,
  signal,
}

describe('static token', () => {
  test('is read from the environment at each use', async () => {
    const environment: Record<string, string | undefined> = {}
    const authorization = staticToken({ tokenEnv: 'MY_TOKEN', environment })
    expect(await authorization.token(signal)).toBeUndefined()
    expect(authorization.missing?.()).toContain('MY_TOKEN')
    environment.MY_TOKEN = ' secret\n'
    expect(await authorization.token(signal)).toBe('secret')
    expect(authorization.missing?.()).toBeUndefined()
  })

  test('in clear in an old file still works, and the variable wins over it', async () => {
    expect(await staticToken({ staticToken: 'old', environment: {} }).token(signal)).toBe('old')
    const both = staticToken({ tokenEnv: 'T', staticToken: 'old', environment: { T: 'new' } })
    expect(await both.token(signal)).toBe('new')
  })

  test('a refused one needs a person; a missing one says so', async () => {
    const authorization = staticToken({ environment: {} })
    expect(authorization.missing?.()).toBe('missing token (set the env var)')
    expect(await authorization.onUnauthorized(refusal)).toMatchObject({ action: 'needs-auth' })
  })
})

test('without authorization a refusal is a failure that names the setting', async () => {
  expect(await noAuthorization.token(signal)).toBeUndefined()
  expect(await noAuthorization.onUnauthorized(refusal)).toMatchObject({
    action: 'fail',
    reason: expect.stringContaining('none'),
  })
})
