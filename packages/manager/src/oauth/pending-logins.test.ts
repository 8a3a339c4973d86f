import { expect, test } from 'vitest'
import { loginLifeMs, pendingLogins } from './pending-logins.ts'
import type { PendingLogin } from './pending-logins.ts'

test('a login ends by the clock too: a machine that slept has fired no timer', () => {
  let now = 1_000
  const logins = pendingLogins({ now: () => now, after: () => () => undefined }, () => undefined)
  const login = { server: { id: 'demo' } } as PendingLogin
  logins.add('in time', login)
  logins.add('late', login)
  now += loginLifeMs - 1
  expect(logins.take('in time')).toMatchObject({ found: 'pending' })
  now += 1
  expect(logins.take('late')).toEqual({ found: 'expired', serverId: 'demo' })
})
