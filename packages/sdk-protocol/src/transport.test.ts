import { describe, expect, test } from 'vitest'
import { JsonRpcResponseError } from './errors.ts'
import { rawWire, turn } from './raw-wire.fixture.ts'

describe('requests of this side', () => {
  test('leave as one compact line each, with ids of their own, and resolve with the result', async () => {
    const { transport, input, sent } = rawWire()
    transport.start()
    const first = transport.request('session/prompt', { sessionId: 's' })
    const second = transport.request('shutdown')
    const [a, b] = await sent(2)
    expect(a).toEqual({ jsonrpc: '2.0', id: a!.id, method: 'session/prompt', params: { sessionId: 's' } })
    expect(b).toEqual({ jsonrpc: '2.0', id: b!.id, method: 'shutdown' })
    expect(a!.id).toMatch(/^req_/)
    expect(b!.id).not.toBe(a!.id)
    input.write(`{"jsonrpc":"2.0","id":"${String(b!.id)}","result":{}}\n{"id":"${String(a!.id)}","result":[1]}\n`)
    await expect(first).resolves.toEqual([1])
    await expect(second).resolves.toEqual({})
  })

  test.each([
    ['"result":0', 0],
    ['"result":null', null],
    ['"x":1', undefined],
    ['"error":null,"result":5', 5],
  ])('%s is a success', async (members, value) => {
    const { transport, input, sent } = rawWire()
    transport.start()
    const answer = transport.request('m')
    const [{ id }] = (await sent(1)) as [{ id: string }]
    input.write(`{"id":"${id}",${members}}\n`)
    await expect(answer).resolves.toBe(value)
  })

  test.each([
    ['{"code":-32001,"message":"no","data":{"a":1}}', -32001, 'no', { a: 1 }],
    ['{}', undefined, 'JSON-RPC error', undefined],
    ['[1]', undefined, 'JSON-RPC error', undefined],
    ['{"code":"x","message":7}', undefined, 'JSON-RPC error', undefined],
    ['"bad"', undefined, 'bad', 'bad'],
    ['true', undefined, 'JSON-RPC error', true],
  ])('error %s rejects, also beside a result', async (errorText, code, message, data) => {
    const { transport, input, sent } = rawWire()
    transport.start()
    const answer = transport.request('m')
    const [{ id }] = (await sent(1)) as [{ id: string }]
    input.write(`{"id":"${id}","result":1,"error":${errorText}}\n`)
    const failure = await answer.catch((thrown: unknown) => thrown)
    expect(failure).toBeInstanceOf(JsonRpcResponseError)
    expect(failure).toMatchObject({ name: 'JsonRpcResponseError', code, message, data })
  })

  test('an answer to an unknown id, a second answer and one without an id are passed over', async () => {
    const { transport, input, sent, receive, diagnostics } = rawWire()
    transport.start()
    const answer = transport.request('m')
    const [{ id }] = (await sent(1)) as [{ id: string }]
    input.write(`{"id":"other","result":1}\n{"id":"${id}","result":2}\n{"id":"${id}","result":3}\n`)
    await expect(answer).resolves.toBe(2)
    await receive('{"id":null,"error":{"code":-32700,"message":"parse"}}\n')
    expect(diagnostics.map(({ kind }) => kind)).toEqual(['unexpected-response', 'unexpected-response', 'not-a-frame'])
  })

  test('params that cannot be serialised reject a request, throw from notify, and send nothing', async () => {
    const { transport, frames } = rawWire()
    transport.start()
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    await expect(transport.request('m', cyclic)).rejects.toBeInstanceOf(TypeError)
    await expect(transport.request('m', { n: 1n })).rejects.toBeInstanceOf(TypeError)
    expect(() => transport.notify('m', cyclic)).toThrow(TypeError)
    await turn()
    expect(frames()).toEqual([])
    expect(transport.pendingRequests).toBe(0)
  })
})

test('a diagnostics hook that throws changes nothing', async () => {
  const { transport, input, sent } = rawWire({
    onDiagnostic: () => {
      throw new Error('hook')
    },
  })
  transport.onRequest(() => 1)
  transport.start()
  input.write('nonsense\n{"id":1,"method":"m"}\n')
  expect(await sent(1)).toMatchObject([{ id: 1, result: 1 }])
})
