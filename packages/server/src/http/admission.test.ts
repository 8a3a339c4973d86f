import { expect, test } from 'vitest'
import { createAdmission } from './admission.ts'
import { readClientName } from './client-name.ts'
import { createTokenCheck } from './token.ts'

const token = 'the-token-of-this-test'
const bearer = { authorization: `Bearer ${token}` }

interface Situation {
  readonly headers: Record<string, string>
  /** What the host's fence answers; absent on hosts without one. */
  readonly fence?: 'admits' | 401 | 403
}

function outcome({ headers, fence }: Situation): string {
  const admit = createAdmission({
    checkToken: createTokenCheck(token),
    fence: () => fence && { requestRejection: () => (fence === 'admits' ? undefined : fence) },
    publicOrigins: ['https://harness.example'],
  })
  const admission = admit({ host: '127.0.0.1:3000', ...headers })
  return admission.admitted ? admission.caller.admittedBy : `${admission.status} ${admission.error}`
}

test.each([
  ['bearer token', { headers: bearer }, 'token'],
  ['bearer in any case', { headers: { authorization: `bEaReR   ${token}` } }, 'token'],
  ['own header', { headers: { 'x-dsh-mcp-token': token } }, 'token'],
  ['both headers', { headers: { ...bearer, 'x-dsh-mcp-token': token } }, 'token'],
  ['no token', { headers: {} }, '401 unauthorized'],
  ['wrong token', { headers: { authorization: `Bearer ${token}x` } }, '401 unauthorized'],
  ['empty token', { headers: { authorization: 'Bearer ' } }, '401 unauthorized'],
  ['scheme without token', { headers: { authorization: 'Bearer' } }, '401 unauthorized'],
  ['wrong own header', { headers: { 'x-dsh-mcp-token': 'x' } }, '401 unauthorized'],
  ['one right, one wrong', { headers: { ...bearer, 'x-dsh-mcp-token': 'x' } }, '401 unauthorized'],
  ['another scheme', { headers: { authorization: `Basic ${token}` } }, '401 unauthorized'],
  ['another scheme beside own header', { headers: { authorization: 'Basic eA==', 'x-dsh-mcp-token': token } }, 'token'],
  ['a name is no token', { headers: { 'x-dsh-mcp-client': token } }, '401 unauthorized'],
  ['fence admits', { headers: {}, fence: 'admits' }, 'connection'],
  ['fence admits, wrong token', { headers: { authorization: 'Bearer x' }, fence: 'admits' }, '401 unauthorized'],
  ['fence admits, empty token', { headers: { authorization: 'Bearer' }, fence: 'admits' }, '401 unauthorized'],
  ['fence wants a cookie', { headers: {}, fence: 401 }, '401 unauthorized'],
  ['fence forbids', { headers: {}, fence: 403 }, '403 forbidden'],
  ['fence forbids, right token', { headers: bearer, fence: 403 }, 'token'],
  ['foreign host', { headers: { ...bearer, host: 'evil.example' } }, '403 forbidden_host'],
  [
    'foreign host and origin',
    { headers: { ...bearer, host: 'evil.example', origin: 'http://evil.example' } },
    '403 forbidden_host',
  ],
  ['public host', { headers: { ...bearer, host: 'harness.example' } }, 'token'],
  ['public host without token', { headers: { host: 'harness.example' } }, '401 unauthorized'],
  ['foreign origin with token on loopback', { headers: { ...bearer, origin: 'https://inspector.example' } }, 'token'],
  ['foreign origin without token', { headers: { origin: 'https://evil.example' } }, '403 forbidden_origin'],
  [
    'foreign origin, fence admits',
    { headers: { origin: 'https://evil.example' }, fence: 'admits' },
    '403 forbidden_origin',
  ],
  [
    'foreign origin on public host',
    { headers: { ...bearer, host: 'harness.example', origin: 'https://evil.example' } },
    '403 forbidden_origin',
  ],
  ['public origin on loopback', { headers: { ...bearer, origin: 'https://harness.example' } }, 'token'],
  ['loopback origin', { headers: { ...bearer, origin: 'http://localhost:6274' } }, 'token'],
  [
    'cross-site without origin',
    { headers: { 'sec-fetch-site': 'cross-site' }, fence: 'admits' },
    '403 forbidden_origin',
  ],
  ['null origin', { headers: { origin: 'null' }, fence: 'admits' }, '403 forbidden_origin'],
] satisfies [string, Situation, string][])('%s', (_, situation, expected) => {
  expect(outcome(situation)).toBe(expected)
})

test('judgements follow the address, not the request before', () => {
  const admit = createAdmission({
    checkToken: createTokenCheck(token),
    fence: () => ({ requestRejection: () => undefined }),
    publicOrigins: [],
  })
  const judged = (headers: Record<string, string>) => {
    const admission = admit(headers)
    return admission.admitted ? 'in' : admission.error
  }
  const here = { host: 'localhost' }
  expect(judged(here)).toBe('in')
  expect(judged({ host: 'evil.example' })).toBe('forbidden_host')
  expect(judged(here)).toBe('in')
  expect(judged({ ...here, origin: 'https://evil.example' })).toBe('forbidden_origin')
  expect(judged(here)).toBe('in')
  expect(judged({ ...here, 'sec-fetch-site': 'cross-site' })).toBe('forbidden_origin')
  expect(judged(here)).toBe('in')
})

test.each([
  [undefined, undefined],
  ['', undefined],
  [' \t ', undefined],
  ['claude-code', 'claude-code'],
  ['  two   words\t', 'two words'],
  [Buffer.from('Größe 世界').toString('latin1'), 'Größe 世界'],
  [Buffer.from('evil\u202etxt').toString('latin1'), 'evil txt'],
  ['\xff', 'ÿ'],
  ['x'.repeat(5000), 'x'.repeat(100)],
])('client name %j reads %j', (header, name) => {
  expect(readClientName(header)).toBe(name)
})
