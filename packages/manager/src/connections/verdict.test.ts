import { expect, test } from 'vitest'
import { AuthorizationNeeded, HttpFailure, SessionExpired } from './failures.ts'
import { judge } from './verdict.ts'

const wrapped = (cause: Error): Error => new Error('tools/list failed', { cause })
const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

test.each([
  [wrapped(new AuthorizationNeeded('log in', 'write')), { kind: 'login', reason: 'log in', missingScope: 'write' }],
  [wrapped(new SessionExpired()), { kind: 'expired' }],
  [wrapped(refused), { kind: 'outage' }],
  [new TypeError('fetch failed'), { kind: 'outage' }],
  [new HttpFailure(503, 'HTTP 503'), { kind: 'alive' }],
  [new TypeError('x is not a function'), { kind: 'alive' }],
  ['a text', { kind: 'alive' }],
])('%s', (error, verdict) => {
  expect(judge(error)).toEqual(verdict)
})
