import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OAuthError } from '../oauth/index.ts'
import { openTestApi, type TestApi } from './test-parts.ts'

async function workspace(file: unknown): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'dsh-mcp-workspace-')))
  await mkdir(join(path, '.dsh', 'dshmm'), { recursive: true })
  await writeFile(join(path, '.dsh', 'dshmm', 'mcp.json'), typeof file === 'string' ? file : JSON.stringify(file))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const json = async (response: Response): Promise<Record<string, unknown>> =>
  (await response.json()) as Record<string, unknown>

async function firstServer(test: TestApi): Promise<{ id: string; status: string }> {
  const { workspaces } = (await json(await test.send('GET', '/api/workspaces'))) as {
    workspaces: { servers: { id: string; status: string }[] }[]
  }
  return workspaces[0]!.servers[0]!
}

test('a host that wants a login is asked on every route but the liveness probe and the callback', async () => {
  for (const rejection of [401, 403] as const) {
    const fence = { publicOrigins: [], connection: () => ({ requestRejection: () => rejection }) }
    await using test = await openTestApi({ fence })
    for (const { method, path, access } of test.api.routes) {
      const answer = await test.send(method, path.replaceAll(':id', 'x'), method === 'GET' ? undefined : {})
      if (access === undefined) expect(answer.status, `${method} ${path}`).toBe(rejection)
      else expect([200, 501]).toContain(answer.status)
    }
  }
})

test('how a client logs in is accepted, shown, exported and taken back, and its secrets stay where they are', async () => {
  const login = {
    clientId: 'robot',
    clientSecretEnv: 'JOBS_SECRET',
    scope: 'run',
    oauthGrant: 'client_credentials',
    oauthResource: false,
    privateKeyEnv: 'JOBS_KEY',
    privateKeyAlgorithm: 'PS256',
  }
  const headers = { 'X-Key': 'sekrit-value', 'X-Team': '${TEAM}' }
  await using first = await openTestApi()
  const body = { name: 'jobs', url: 'http://127.0.0.1:9/mcp', headers, ...login }
  expect(await json(await first.send('POST', '/api/servers', body))).toMatchObject({
    server: { ...login, headers: { 'X-Key': '••••', 'X-Team': '${TEAM}' } },
  })
  const exported = await json(await first.send('GET', '/api/export'))
  const jobs = { ...login, headers: { 'X-Key': '${JOBS_X_KEY}', 'X-Team': '${TEAM}' } }
  expect(exported).toMatchObject({ mcpServers: { jobs } })

  await using second = await openTestApi()
  const preview = await json(await second.send('POST', '/api/import/preview', { text: JSON.stringify(exported) }))
  const { entries } = preview as { entries: { name: string; definition: object }[] }
  expect(entries).toMatchObject([{ name: 'jobs', definition: login }])
  await second.send('POST', '/api/import', { entries })
  const { servers } = second.parts.state.current()
  expect(servers).toMatchObject([jobs])
})

test('a proxy is let in under the origins that were declared, and under no other', async () => {
  const fence = { publicOrigins: ['https://harness.example'], connection: () => undefined }
  await using test = await openTestApi({ fence })
  const get = (headers: Record<string, string>): Promise<Response> =>
    test.send('GET', '/api/servers', undefined, headers)
  expect((await get({ host: 'harness.example', origin: 'https://harness.example' })).status).toBe(200)
  expect((await get({ host: '127.0.0.1:3080', origin: 'https://harness.example' })).status).toBe(200)
  expect((await get({ host: 'harness.example', origin: 'http://harness.example' })).status).toBe(403)
  expect((await get({ host: 'other.example' })).status).toBe(403)
})

test('servers of a workspace: not loaded, in conflict, invalid', async () => {
  await using root = await workspace({ mcpServers: { local: { type: 'stdio', command: 'x' } } })
  await using test = await openTestApi({ workspaces: [root.path] })
  const { id, status } = await firstServer(test)
  expect(id).toMatch(/^ws-[0-9a-f]{20}$/)
  expect(status).toBe('configured')
  expect((await test.send('GET', `/api/servers/${id}/logs`)).status).toBe(200)
  expect((await test.send('POST', `/api/servers/${id}/connect`)).status).toBe(404)
  await test.send('POST', '/api/servers', { name: 'local', type: 'stdio', command: 'y', enabled: false })
  expect(await firstServer(test)).toMatchObject({ status: 'conflict' })
  const refused = await test.send('POST', `/api/servers/${id}/connect`)
  expect(refused.status).toBe(409)
  expect(await json(refused)).toEqual({ error: 'server name is taken by another server' })
  expect((await test.send('GET', `/api/servers/${id}/logs`)).status).toBe(200)
  expect((await test.send('GET', '/api/servers/ws-00000000000000000000/logs')).status).toBe(404)
})

describe('the stored login of a workspace server', () => {
  const url = 'http://127.0.0.1:1/mcp'
  const login = { oauth: { tokens: { access_token: 'a', refresh_token: 'r' } } }

  async function open() {
    const root = await workspace({ mcpServers: { local: { url }, other: { url } } })
    const test = await openTestApi({ workspaces: [root.path] })
    await test.parts.state.update((draft) => {
      draft.workspaceTokens = { [`${root.path}\nlocal`]: login, [`${root.path}\nother`]: login }
    })
    const change = { path: root.path, oldName: 'local', url, authMode: 'oauth' }
    return {
      ...test,
      root: root.path,
      put: (fields: object) => test.send('PUT', '/api/workspaces/servers', { ...change, ...fields }),
      logins: () => Object.keys(test.parts.state.current().workspaceTokens).map((key) => key.split('\n')[1]),
      async [Symbol.asyncDispose]() {
        await test[Symbol.asyncDispose]()
        await root[Symbol.asyncDispose]()
      },
    }
  }

  test('follows a new name, and never gets into the file', async () => {
    await using test = await open()
    expect((await test.put({ name: 'renamed' })).status).toBe(200)
    expect(test.logins()).toEqual(['other', 'renamed'])
    const file = await readFile(join(test.root, '.dsh', 'dshmm', 'mcp.json'), 'utf8')
    expect(file).toContain('renamed')
    expect(file).not.toContain('access_token')
  })

  test.each([
    { url: 'http://127.0.0.1:2/mcp' },
    { clientId: 'another' },
    { authMode: 'none' },
    { type: 'stdio', command: 'x' },
  ])('ends when the server becomes another: %j', async (fields) => {
    await using test = await open()
    expect((await test.put(fields)).status).toBe(200)
    expect(test.logins()).toEqual(['other'])
  })

  test('stays when only the budget changes', async () => {
    await using test = await open()
    expect((await test.put({ timeout: 5000 })).status).toBe(200)
    expect(test.logins()).toEqual(['local', 'other'])
  })

  test('ends with the server, and so does its log', async () => {
    await using test = await open()
    const id = (await firstServer(test)).id
    test.parts.logs.of(id).record({ phase: 'initialize', detail: 'ECONNREFUSED' })
    const gone = await test.send('POST', '/api/workspaces/servers/delete', { path: test.root, name: 'local' })
    expect(gone.status).toBe(200)
    expect(test.logins()).toEqual(['other'])
    expect(test.parts.logs.of(id).entries()).toEqual([])
  })
})

test('an entry of a workspace file that cannot be used is told, the others stay', async () => {
  await using root = await workspace({ mcpServers: { local: { type: 'stdio', command: 'x' }, bad: { type: 'stdio' } } })
  await using test = await openTestApi({ workspaces: [root.path] })
  expect(await json(await test.send('GET', '/api/workspaces'))).toMatchObject({
    workspaces: [
      { servers: [{ name: 'local' }], problems: [expect.stringContaining('server "bad": command: is missing')] },
    ],
  })
})

test('an invalid workspace file is told and never overwritten', async () => {
  await using root = await workspace('{ not json')
  await using test = await openTestApi({ workspaces: [root.path] })
  const { workspaces } = (await json(await test.send('GET', '/api/workspaces'))) as { workspaces: object[] }
  expect(workspaces).toMatchObject([{ path: root.path, error: expect.stringContaining('invalid .dsh/dshmm/mcp.json') }])
  const answer = await test.send('POST', '/api/workspaces/servers', {
    path: root.path,
    name: 'a',
    type: 'stdio',
    command: 'x',
  })
  expect(answer.status).toBe(409)
})

test.each([
  ['POST', '/api/workspaces/servers', { name: 'a', type: 'stdio', command: 'x' }],
  ['PUT', '/api/workspaces/servers', { oldName: 'local', type: 'stdio', command: 'x' }],
  ['POST', '/api/workspaces/servers/delete', { name: 'local' }],
  ['POST', '/api/workspaces/server-state', { name: 'local', enabled: true }],
  ['POST', '/api/workspaces/exclude', { server: 'local' }],
  ['POST', '/api/workspaces/auth', { name: 'local' }],
  ['POST', '/api/workspaces/consent', { name: 'local', allow: true }],
])('%s %s refuses a directory that is no workspace, and none at all', async (method, path, body) => {
  await using root = await workspace({ mcpServers: { local: { type: 'stdio', command: 'x' } } })
  await using test = await openTestApi()
  const foreign = await test.send(method, path, { ...body, path: root.path })
  expect(foreign.status).toBe(403)
  expect(await json(foreign)).toMatchObject({ error: 'path is not a registered or active DSH workspace' })
  expect((await test.send(method, path, body)).status).toBe(400)
})

test('names are unique over global servers and workspaces', async () => {
  await using root = await workspace({ mcpServers: { local: { type: 'stdio', command: 'x' } } })
  await using test = await openTestApi({ workspaces: [root.path] })
  await test.send('POST', '/api/servers', { name: 'global', type: 'stdio', command: 'y', enabled: false })
  const add = (name: string): Promise<Response> =>
    test.send('POST', '/api/workspaces/servers', { path: root.path, name, type: 'stdio', command: 'x' })
  expect((await add('global')).status).toBe(409)
  expect((await add('local')).status).toBe(409)
  const change = { path: root.path, oldName: 'none', type: 'stdio', command: 'x' }
  expect((await test.send('PUT', '/api/workspaces/servers', change)).status).toBe(404)
  const rename = { path: root.path, oldName: 'local', name: 'global', type: 'stdio', command: 'x' }
  expect((await test.send('PUT', '/api/workspaces/servers', rename)).status).toBe(409)
})

test('a browser login begins with the address of the provider and ends with its page', async () => {
  await using test = await openTestApi({
    login: {
      begin: async (server) => new URL(`https://login.example/authorize?for=${server.name}`),
      logout: async () => undefined,
      callback: async () => new Response('<p>done</p>', { headers: { 'content-type': 'text/html' } }),
      health: () => ({
        expiresAt: 1,
        needsReauth: false,
        lastRefreshAt: null,
        lastRefreshError: null,
        lastToolOkAt: null,
      }),
      callbackUrl: () => 'http://127.0.0.1:3080/mcp-manager/callback/x',
    },
  })
  const created = await json(
    await test.send('POST', '/api/servers', { name: 'a', url: 'https://a.example/', enabled: false }),
  )
  const { id, oauth } = created['server'] as { id: string; oauth: object }
  expect(oauth).toMatchObject({ needsReauth: false })
  const begun = await json(await test.send('POST', `/api/servers/${id}/auth`))
  expect(begun).toEqual({ authorizeUrl: 'https://login.example/authorize?for=a' })
  const back = await test.send('GET', `/callback/${id}?code=c&state=s`, undefined, { 'sec-fetch-site': 'cross-site' })
  expect([back.status, await back.text()]).toEqual([200, '<p>done</p>'])

  const local = await json(await test.send('POST', '/api/servers', { name: 'b', type: 'stdio', command: 'x' }))
  const { id: localId } = local['server'] as { id: string }
  for (const what of ['auth', 'logout']) {
    expect((await test.send('POST', `/api/servers/${localId}/${what}`)).status, what).toBe(400)
  }
})

test('a login that cannot begin is told in Chinese too', async () => {
  const refused = new OAuthError('network', 'discovery', 'https://auth.example does not answer')
  await using test = await openTestApi({
    builtin: () => {
      throw refused
    },
  })
  expect(await json(await test.send('GET', '/api/servers'))).toEqual({
    error: refused.message,
    chinese: expect.stringMatching(/^无法连接授权提供方。/),
  })
})

test('a failure nobody foresaw is a redacted line of at most 300 characters', async () => {
  await using test = await openTestApi({
    builtin: () => {
      throw new Error(`Bearer sekrit-token-value ${'x'.repeat(600)}`)
    },
  })
  const answer = await test.send('GET', '/api/servers')
  expect(answer.status).toBe(500)
  const { error } = (await json(answer)) as { error: string }
  expect(error.length).toBeLessThanOrEqual(300)
  expect(error).not.toContain('sekrit')
})

test('a state file that cannot be read is left alone and the request says so', async () => {
  await using test = await openTestApi()
  await writeFile(test.parts.state.path, '{ broken')
  const answer = await test.send('POST', '/api/servers', { name: 'a', type: 'stdio', command: 'x' })
  expect(answer.status).toBe(409)
  expect(await json(answer)).toMatchObject({ error: expect.stringContaining('not valid') })
})
