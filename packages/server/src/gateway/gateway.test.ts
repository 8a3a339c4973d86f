import { describe, expect, test } from 'vitest'
import { fixtureResources, fixtureTools } from '../fixture/tools.ts'
import { createGateway } from './gateway.ts'
import type { Carrier, Extension, JsonObject } from './index.ts'

const serverInfo = { name: 'dsh-mcp-server', title: 'DeepSeek Harness MCP Server', version: '1.2.3' }
const protocolVersionKey = 'io.modelcontextprotocol/protocolVersion'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

const envelope: JsonObject = { [protocolVersionKey]: '2026-07-28', [capabilitiesKey]: {} }

interface Asked {
  readonly status: number
  readonly id?: unknown
  readonly result?: JsonObject
  readonly error?: { readonly code: number; readonly message: string; readonly data?: JsonObject }
}

/** Sends one message to a gateway with the fixture's tools; `headers` undefined is a transport without any. */
async function ask(message: unknown, headers?: Record<string, string>, extension?: Extension): Promise<Asked> {
  const gateway = createGateway({
    identity: { serverInfo, instructions: 'Do this.' },
    tools: fixtureTools(),
    resources: fixtureResources,
    extension,
  })
  const carrier: Carrier = {
    caller: { admittedBy: 'token' },
    headers: headers && { get: (name) => headers[name] },
    signal: new AbortController().signal,
    streams: false,
    send: () => false,
  }
  const reply = await gateway.handle(message, carrier)
  return reply.kind === 'accepted' ? { status: 202 } : { status: reply.status, ...(JSON.parse(reply.text) as object) }
}

const legacy = (method: string, params: unknown = {}, id: unknown = 1) => ask({ jsonrpc: '2.0', id, method, params })

const modern = (method: string, params: JsonObject = {}, id: unknown = 1) =>
  ask({ jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope } })

describe('messages without the 2026-07-28 envelope', () => {
  test.each([
    ['2026-07-28', '2026-07-28'],
    ['2025-11-25', '2025-11-25'],
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2024-11-05'],
    ['2024-10-07', '2024-10-07'],
    ['2023-01-01', '2025-06-18'],
    ['', '2025-06-18'],
    [undefined, '2025-06-18'],
    [42, '2025-06-18'],
  ])('initialize with version %j answers %s', async (protocolVersion, answered) => {
    expect(await legacy('initialize', { protocolVersion })).toEqual({
      status: 200,
      jsonrpc: '2.0',
      id: 1,
      result: {
        protocolVersion: answered,
        capabilities: {
          tools: { listChanged: false },
          resources: { subscribe: false, listChanged: false },
          logging: {},
        },
        serverInfo,
        instructions: 'Do this.',
      },
    })
  })

  test.each([
    'ping',
    'logging/setLevel',
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
  ])('%s with an id answers an empty object', async (method) => {
    expect(await legacy(method)).toEqual({ status: 200, jsonrpc: '2.0', id: 1, result: {} })
  })

  test.each([
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/progress',
    'notifications/roots/list_changed',
    'notifications/of/another/kind',
    'unknown/method',
    'tools/call',
  ])('%s without an id is accepted in silence', async (method) => {
    expect(await ask({ jsonrpc: '2.0', method })).toEqual({ status: 202 })
  })

  test.each([
    ['tools/list', 'tools'],
    ['resources/list', 'resources'],
    ['resources/templates/list', 'resourceTemplates'],
  ])('%s answers %s and nothing else, whatever the cursor', async (method, member) => {
    const { result } = await legacy(method, { cursor: 'any' })
    expect(Object.keys(result!)).toEqual([member])
  })

  test('a tool gets its arguments, an empty object when there are none', async () => {
    const { result } = await legacy('tools/call', { name: 'echo', arguments: { a: [1, null] }, unknown: true })
    expect(result).toEqual({ content: [{ type: 'text', text: '{"a":[1,null]}' }] })
    expect((await legacy('tools/call', { name: 'echo' })).result).toEqual({ content: [{ type: 'text', text: '{}' }] })
  })

  test('resources/read answers one record', async () => {
    expect((await legacy('resources/read', { uri: 'fixture://one' })).result).toEqual({
      contents: [{ uri: 'fixture://one', mimeType: 'text/plain', text: 'one' }],
    })
  })

  test.each([
    ['tools/call', {}, -32602],
    ['tools/call', { name: 7 }, -32602],
    ['tools/call', { name: 'echo', arguments: [] }, -32602],
    ['tools/call', { name: 'echo', arguments: null }, -32602],
    ['tools/call', { name: 'echo', arguments: 'x' }, -32602],
    ['tools/call', { name: 'nothing' }, -32602],
    ['tools/call', { name: 'toString' }, -32602],
    ['tools/call', 'no object', -32602],
    ['tools/call', { name: 'crash' }, -32603],
    ['resources/read', {}, -32602],
    ['resources/read', { uri: 7 }, -32602],
    ['resources/read', { uri: 'fixture://bad id' }, -32602],
    ['resources/read', { uri: 'fixture://unknown' }, -32002],
    ['resources/read', { uri: 'fixture://down' }, -32603],
    ['prompts/list', {}, -32601],
    ['prompts/get', {}, -32601],
    ['completion/complete', {}, -32601],
    ['resources/subscribe', {}, -32601],
    ['sampling/createMessage', {}, -32601],
    ['server/discover', {}, -32601],
    ['subscriptions/listen', {}, -32601],
    ['constructor', {}, -32601],
    ['__proto__', {}, -32601],
    ['', {}, -32601],
  ])('%s %j is error %d', async (method, params, code) => {
    const { status, id, error } = await legacy(method, params)
    expect({ status, id, code: error?.code }).toEqual({ status: 200, id: 1, code })
  })

  test('the cause of an internal error stays inside', async () => {
    const { error } = await legacy('tools/call', { name: 'crash' })
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  test.each([
    [[]],
    [[{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
    [null],
    [7],
    ['ping'],
    [true],
    [{}],
    [{ method: 7 }],
  ])('%j is an invalid request', async (message) => {
    expect(await ask(message)).toMatchObject({ status: 400, id: null, error: { code: -32600 } })
  })

  test('an invalid request is answered with its id where it has one', async () => {
    expect(await ask({ id: 'x' })).toMatchObject({ id: 'x', error: { code: -32600 } })
    expect(await ask({ id: {} })).toMatchObject({ id: null, error: { code: -32600 } })
  })

  test('a posted response is refused: nothing was asked', async () => {
    expect(await ask({ jsonrpc: '2.0', id: 1, result: {} })).toMatchObject({ status: 400, error: { code: -32600 } })
  })

  test.each([0, -1, 1.5, '', 'x', null, true, [1], { a: 1 }])('id %j comes back as it is', async (id) => {
    expect(await legacy('ping', {}, id)).toEqual({ status: 200, jsonrpc: '2.0', id, result: {} })
  })

  test.each([{}, { jsonrpc: '1.0' }, { jsonrpc: 2 }])(
    '%j does not stop a message, and the answer says 2.0',
    async (extra) => {
      expect(await ask({ ...extra, id: 1, method: 'ping' })).toEqual({ status: 200, jsonrpc: '2.0', id: 1, result: {} })
    },
  )
})

describe('messages with the 2026-07-28 envelope', () => {
  const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo }

  test('server/discover tells what works', async () => {
    expect((await modern('server/discover')).result).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: false }, resources: { subscribe: false, listChanged: false } },
      instructions: 'Do this.',
      _meta,
      ttlMs: 300_000,
      cacheScope: 'private',
    })
  })

  test.each(['tools/list', 'resources/list', 'resources/templates/list'])(
    '%s carries hints and one page',
    async (method) => {
      expect((await modern(method)).result).toMatchObject({
        resultType: 'complete',
        ttlMs: 300_000,
        cacheScope: 'private',
        _meta,
      })
      expect((await modern(method, { cursor: '' })).error).toMatchObject({ code: -32602 })
    },
  )

  test('a tool result says that it is complete, a read resource is stale at once', async () => {
    expect((await modern('tools/call', { name: 'echo' })).result).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: '{}' }],
      _meta,
    })
    expect((await modern('resources/read', { uri: 'fixture://one' })).result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    })
  })

  test.each([
    ['tools/call', { name: 'nothing' }, 200, -32602],
    ['resources/read', { uri: 'fixture://unknown' }, 200, -32602],
    ['resources/read', { uri: 'fixture://down' }, 200, -32603],
    ['initialize', {}, 404, -32601],
    ['ping', {}, 404, -32601],
    ['logging/setLevel', {}, 404, -32601],
    ['resources/subscribe', {}, 404, -32601],
    ['notifications/cancelled', {}, 404, -32601],
    ['unknown', {}, 404, -32601],
  ])('%s %j is status %d and error %d', async (method, params, status, code) => {
    expect(await modern(method, params)).toMatchObject({ status, id: 1, error: { code } })
  })

  test('an unknown resource is named', async () => {
    const { error } = await modern('resources/read', { uri: 'fixture://unknown' })
    expect(error?.data).toEqual({ uri: 'fixture://unknown' })
  })

  test.each([null, true, 1.5, [1], {}])('id %j is refused', async (id) => {
    expect(await modern('tools/list', {}, id)).toMatchObject({ status: 400, id: null, error: { code: -32600 } })
  })

  test('another "jsonrpc" is refused', async () => {
    const message = { jsonrpc: '1.0', id: 1, method: 'tools/list', params: { _meta: envelope } }
    expect(await ask(message)).toMatchObject({ status: 400, id: 1, error: { code: -32600 } })
  })

  test('a notification is accepted', async () => {
    expect(await ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: envelope } })).toEqual({
      status: 202,
    })
  })

  test('a question is asked only of a client that declared it', async () => {
    const question = { resultType: 'input_required', inputRequests: { a: { method: 'sampling/createMessage' } } }
    const extension = { modernMethods: { 'prompts/get': { mayRequireInput: true, handle: () => question } } } as const
    const get = (capabilities: JsonObject) =>
      ask(
        {
          jsonrpc: '2.0',
          id: 1,
          method: 'prompts/get',
          params: { _meta: { ...envelope, [capabilitiesKey]: capabilities } },
        },
        undefined,
        extension,
      )
    expect((await get({ sampling: {} })).result).toEqual({ ...question, _meta })
    expect(await get({ elicitation: {} })).toMatchObject({
      status: 400,
      error: { code: -32021, data: { requiredCapabilities: { sampling: {} } } },
    })
  })
})
