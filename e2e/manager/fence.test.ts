import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually, startWebHost, temporaryHome, type TemporaryHome, type WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi } from '../../packages/manager/src/web/test-parts.ts'
import { callManager, type ApiRequest } from './api-client.ts'
import { declareGlobal } from '../workspaces/scene.ts'

/** Every route of the product's own table: a new route is in here without anybody thinking of it. */
await using listed = await openTestApi()
const routes = listed.api.routes

let home: TemporaryHome
let host: WebHost
let before: string

const stateText = (): Promise<string> => readFile(join(home.path, 'mcp-manager.json'), 'utf8')
const pathOf = (pattern: string): string => pattern.replaceAll(':id', 'global-kept')

beforeAll(async () => {
  home = await temporaryHome()
  await declareGlobal(home.path, { kept: { type: 'stdio', command: 'no-such-program-xyz', enabled: false } })
  host = await startWebHost({ home: home.path, plugins: ['manager'] })
  await eventually('the API answers', async () => (await callManager(host, 'GET', '/api/ping')).status === 200)
  before = await stateText()
})

afterAll(async () => {
  await host[Symbol.asyncDispose]()
  await home[Symbol.asyncDispose]()
})

/** What would change something if it were let in. */
const harm = {
  name: 'evil',
  type: 'stdio',
  command: 'touch',
  args: ['/tmp/evil'],
  enabled: true,
  path: '/',
  server: 'kept',
}

const foreign: readonly (readonly [name: string, headers: Readonly<Record<string, string>>])[] = [
  ['a page of another site', { origin: 'http://evil.example' }],
  ['a page of another port of this machine', { origin: 'http://localhost:1' }],
  ['a sandboxed frame', { origin: 'null' }],
  ['a browser that says cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['a browser that says same-site', { 'sec-fetch-site': 'same-site' }],
  ['a framed navigation', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' }],
]

const wrongBodies: readonly (readonly [name: string, status: number, request: ApiRequest])[] = [
  ['plain text', 415, { headers: { 'content-type': 'text/plain' }, body: JSON.stringify(harm) }],
  ['a form', 415, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=evil' }],
  [
    'JSON in disguise',
    415,
    { headers: { 'content-type': 'text/plain; application/json' }, body: JSON.stringify(harm) },
  ],
  ['a body of 257 KiB', 413, { body: { ...harm, filler: 'x'.repeat(257 * 1024) } }],
  ['broken JSON', 400, { body: '{"name":' }],
  ['a list', 400, { body: [harm] }],
]

describe.each(routes.map((route) => [route.method, route.path, route] as const))('%s %s', (method, path, route) => {
  const send = (request: ApiRequest): ReturnType<typeof callManager> =>
    callManager(host, method, pathOf(path), { ...(route.body === true && { body: harm }), ...request })
  const access = route.access ?? 'page'

  test('refuses a foreign Host, as DNS rebinding brings it', async () => {
    for (const name of ['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '10.0.0.1']) {
      const answer = await send({ headers: { host: name } })
      expect(answer, name).toMatchObject({ status: 403, body: { error: expect.stringContaining('Host') } })
    }
    expect(await stateText()).toBe(before)
  })

  test.each(access === 'page' ? foreign : [])('refuses %s', async (_name, headers) => {
    const answer = await send({ headers })
    expect(answer).toMatchObject({ status: 403, body: { error: expect.stringMatching(/^refused: /) } })
    expect(await stateText()).toBe(before)
  })

  test.each(route.body === true ? wrongBodies : [])('refuses %s', async (_name, status, request) => {
    const answer = await send(request)
    expect(answer).toMatchObject({ status, body: { error: expect.any(String) } })
    expect(await stateText()).toBe(before)
  })

  if (access !== 'page') {
    test('lets a redirect or a liveness probe in from anywhere', async () => {
      for (const [, headers] of foreign) expect((await send({ headers })).status).not.toBe(403)
    })
  }

  test('answers another method with what it takes', async () => {
    const taken = new Set(routes.filter((other) => other.path === path).map((other) => other.method))
    const wrong = (['GET', 'POST', 'PUT', 'DELETE'] as const).find((one) => !taken.has(one))!
    const answer = await callManager(host, wrong, pathOf(path))
    expect(answer).toMatchObject({ status: 405, headers: { allow: expect.stringContaining(method) } })
  })
})

test('every route that changes something reads its input as JSON or takes none', () => {
  expect(routes.length).toBeGreaterThan(25)
  for (const { method, access } of routes) {
    if (access !== undefined) expect(method).toBe('GET')
  }
})

test('an unknown path is an empty 404, whoever asks', async () => {
  for (const path of ['', '/', '/api', '/api/none', '/api/servers/a.b/logs', '/api/servers/%2e%2e/logs', '/callback']) {
    expect(await callManager(host, 'GET', path)).toMatchObject({ status: 404, body: '' })
  }
})

test('the page itself, a program, and a page on localhost by its own name are let in', async () => {
  const own = `http://127.0.0.1:${host.port}`
  for (const headers of [
    {},
    { origin: own, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { host: `localhost:${host.port}`, origin: `http://localhost:${host.port}` },
    { host: `[::1]:${host.port}` },
  ]) {
    expect(
      await callManager(host, 'GET', '/api/servers', { headers: headers as Record<string, string> }),
    ).toMatchObject({
      status: 200,
    })
  }
})
