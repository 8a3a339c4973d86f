import { describe, expect, test } from 'vitest'
import { readTokenAnswer, storedTokens } from './token-response.ts'

const read = (body: string, status = 200, type = 'application/json') =>
  readTokenAnswer(
    new Response(body, { status, headers: { 'content-type': type } }),
    'refresh',
    'https://as.example/token',
  )

describe('token answer', () => {
  test.each([
    ['{"access_token":"a","token_type":"Bearer","expires_in":60}', 'application/json', 60],
    ['{"access_token":"a","token_type":"bearer","expires_in":"60"}', 'text/plain', 60],
    ['{"access_token":"a","id_token":"not.a.jwt"}', 'application/json', undefined],
    ['{"access_token":"a","expires_in":null,"refresh_token":null}', 'application/json', undefined],
    ['access_token=a&expires_in=60&token_type=bearer', 'application/x-www-form-urlencoded', 60],
  ])('%s', async (body, type, expiresIn) => {
    expect(await read(body, 200, type)).toMatchObject({ accessToken: 'a', expiresIn })
  })

  test.each([
    ['{"error":"invalid_grant"}', 400, 'invalid_grant'],
    ['{"error":"bad_verification_code"}', 200, 'bad_verification_code'],
    ['{"error":"bad\\"code"}', 400, undefined],
    ['<html>', 403, undefined],
  ])('refusal %s with HTTP %i', async (body, status, error) => {
    await expect(read(body, status)).rejects.toMatchObject({ status, error })
  })

  test.each([
    ['{"access_token":""}', 200, 'not-json'],
    ['{"access_token":"a', 200, 'not-json'],
    ['{"access_token":"a","token_type":"mac"}', 200, 'invalid-metadata'],
    ['{"error":"invalid_grant"}', 503, 'server-error'],
    ['', 429, 'server-error'],
  ])('unusable %s with HTTP %i', async (body, status, code) => {
    await expect(read(body, status)).rejects.toMatchObject({ code })
  })
})

test('when a token counts as run out', () => {
  const answer = { accessToken: 'a', refreshToken: undefined, expiresIn: 3600, scope: undefined }
  expect(storedTokens(answer, 1_000_000).expires_at).toBe(1_000_000 + 3_540_000)
  expect(storedTokens({ ...answer, expiresIn: undefined }, 0).expires_at).toBe(3_540_000)
  expect(storedTokens({ ...answer, expiresIn: 2 }, 0).expires_at).toBe(1_000)
  expect(storedTokens(answer, 0, { refresh_token: 'kept', other: 1 })).toMatchObject({
    refresh_token: 'kept',
    other: 1,
  })
  expect(storedTokens({ ...answer, refreshToken: 'new' }, 0, { refresh_token: 'old' }).refresh_token).toBe('new')
  expect(storedTokens(answer, 0).refresh_token).toBe('')
})
