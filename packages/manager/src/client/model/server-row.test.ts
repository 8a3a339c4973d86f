import { expect, test } from 'vitest'
import type { ServerStatus, ServerView } from '../../web/api-types.ts'
import { canReconnect, hasLogin, loginOf, nextStepOf, searched, statusOf, summaryOf, targetOf } from './server-row.ts'

function server(change: Partial<ServerView> = {}): ServerView {
  return {
    id: 'a',
    name: 'odin',
    type: 'http',
    enabled: true,
    status: 'connected',
    toolCount: 2,
    error: null,
    url: 'https://odin.example/mcp',
    authMode: 'oauth',
    ...change,
  }
}

test('a connected server shows its tools in the right number', () => {
  expect(statusOf(server())).toEqual({ tone: 'good', text: { key: 'statusConnected', params: { count: 2 } } })
  expect(statusOf(server({ toolCount: 1 })).text.key).toBe('statusConnectedOne')
})

test.each<[ServerStatus, string, string]>([
  ['connecting', 'busy', 'statusConnecting'],
  ['authorizing', 'busy', 'statusAuthorizing'],
  ['needs-auth', 'attention', 'statusNeedsAuth'],
  ['error', 'bad', 'statusError'],
  ['disconnected', 'idle', 'statusDisconnected'],
  ['disabled', 'idle', 'statusDisabled'],
  ['conflict', 'attention', 'statusConflict'],
  ['configured', 'idle', 'statusConfigured'],
])('%s', (status, tone, key) => {
  expect(statusOf(server({ status }))).toEqual({ tone, text: { key } })
})

test('a status of a newer host half is shown as unknown', () => {
  expect(statusOf(server({ status: 'resting' as ServerStatus }))).toEqual({
    tone: 'idle',
    text: { key: 'statusUnknown' },
  })
})

test('a lack of scopes is told before the raw failure and offers to grant', () => {
  const lacking = server({ status: 'needs-auth', error: 'HTTP 403', missingScope: 'repo' })
  expect(statusOf(lacking).text.key).toBe('statusMissingScope')
  expect(summaryOf(lacking)).toEqual({ failure: true, text: { key: 'failureMissingScope', params: { scope: 'repo' } } })
  expect(loginOf(lacking)).toBe('grant')
  expect(nextStepOf(lacking)?.key).toBe('nextGrant')
})

test('a connected server of which a call waits for more scopes asks for them too', () => {
  const waiting = server({ missingScope: 'repo' })
  expect(statusOf(waiting)).toEqual({ tone: 'attention', text: { key: 'statusMissingScope' } })
  expect([loginOf(waiting), nextStepOf(waiting)?.key]).toEqual(['grant', 'nextGrant'])
})

test('the folded row shows the failure, else what runs', () => {
  expect(summaryOf(server({ error: 'refused' }))).toEqual({ failure: true, text: 'refused' })
  expect(summaryOf(server())).toEqual({ failure: false, text: 'https://odin.example/mcp' })
  const oauth = { expiresAt: null, needsReauth: false, lastRefreshAt: null, lastRefreshError: null, lastToolOkAt: null }
  const fresh = server({ status: 'needs-auth', error: 'not logged in yet: authenticate', oauth })
  expect(summaryOf(fresh)).toEqual({ failure: true, text: { key: 'notLoggedIn' } })
  const ended = server({
    ...fresh,
    error: 'the login has ended',
    oauth: { ...oauth, lastRefreshError: 'invalid_grant' },
  })
  expect(summaryOf(ended)).toEqual({ failure: true, text: 'the login has ended' })
  expect(targetOf(server({ type: 'stdio', command: 'npx', args: ['-y', 'a b'] }))).toBe('npx -y "a b"')
})

test('a refused command is told in the folded row, and its question is the next step', () => {
  const consent = { command: 'npx', args: [], environment: [], hash: 'h' }
  const refused = server({ status: 'configured', consent: { ...consent, state: 'refused' } })
  expect(summaryOf(refused)).toEqual({ failure: true, text: { key: 'consentRefusedTitle' } })
  expect(nextStepOf(refused)).toBeUndefined()
  const allowed = server({ status: 'configured', consent: { ...consent, state: 'allowed' } })
  expect(nextStepOf(allowed)?.key).toBe('nextConfigured')
})

test('each state that does not run names the next step', () => {
  expect(nextStepOf(server({ status: 'needs-auth' }))?.key).toBe('nextAuthenticate')
  expect(nextStepOf(server({ status: 'needs-auth', authMode: 'static', tokenEnv: 'T' }))).toEqual({
    key: 'nextToken',
    params: { name: 'T' },
  })
  expect(nextStepOf(server({ status: 'error' }))?.key).toBe('nextHttp')
  expect(nextStepOf(server({ status: 'error', type: 'stdio' }))?.key).toBe('nextStdio')
  expect(nextStepOf(server({ status: 'conflict' }))?.key).toBe('nextConflict')
  expect(nextStepOf(server({ status: 'configured' }))?.key).toBe('nextConfigured')
  expect(nextStepOf(server({ status: 'disconnected' }))?.key).toBe('nextDisconnected')
  expect(nextStepOf(server())).toBeUndefined()
})

test('login and logout are offered only where they make sense', () => {
  expect(loginOf(server())).toBe('reauthenticate')
  expect(loginOf(server({ status: 'needs-auth' }))).toBe('authenticate')
  expect(loginOf(server({ authMode: 'none' }))).toBeUndefined()
  expect(loginOf(server({ status: 'disabled' }))).toBeUndefined()
  expect(hasLogin(server())).toBe(true)
  expect(hasLogin(server({ authMode: 'static' }))).toBe(false)
  expect(canReconnect(server({ status: 'error' }))).toBe(true)
  expect(canReconnect(server({ status: 'conflict' }))).toBe(false)
  expect(canReconnect(server({ source: 'builtin' }))).toBe(false)
})

test('a client that logs in by itself offers no person a login, whatever it lacks', () => {
  const machine = { oauthGrant: 'client_credentials' } as const
  for (const one of [
    server(machine),
    server({ ...machine, status: 'needs-auth' }),
    server({ ...machine, missingScope: 'a' }),
  ]) {
    expect([loginOf(one), hasLogin(one)]).toEqual([undefined, false])
  }
  expect(nextStepOf(server({ ...machine, status: 'needs-auth' }))?.key).toBe('nextMachine')
  expect(nextStepOf(server({ ...machine, missingScope: 'a' }))?.key).toBe('nextMachine')
})

test('search looks at names, in any case', () => {
  const all = [server(), server({ name: 'Files' })]
  expect(searched(all, ' fil ').map((one) => one.name)).toEqual(['Files'])
  expect(searched(all, '')).toBe(all)
})

test.each([
  ['fetch failed: connect ECONNREFUSED 127.0.0.1:1: nothing listens there', 'nextRefused'],
  ['getaddrinfo ENOTFOUND nonexistent.invalid', 'nextUnknownHost'],
  ['UND_ERR_CONNECT_TIMEOUT', 'nextNoAnswer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE: its certificate is not trusted', 'nextCertificate'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'nextCertificate'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'nextCertificate'],
  ['HTTP 500: broken', 'nextHttp'],
  [null, 'nextHttp'],
])('the next step after %j is told by the code in it', (error, key) => {
  expect(nextStepOf(server({ status: 'error', error }))).toEqual({ key })
})
