import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve } from '../fixture/serve.ts'
import type { Served } from '../fixture/serve.ts'

const limit = 64 * 1024 * 1024

let served: Served

beforeAll(async () => {
  served = await serve({ maxBodyBytes: limit })
})

afterAll(() => served[Symbol.asyncDispose]())

type Part = string | Buffer | { readonly pauseMs: number } | { readonly end: true }

/** Writes raw bytes to a socket and reads until the server has answered or closed. */
function exchange(parts: readonly Part[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: served.port, host: '127.0.0.1', allowHalfOpen: true })
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (isComplete(text)) socket.destroy()
    })
    socket.on('end', () => socket.destroy())
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
    void (async () => {
      for (const part of parts) {
        if (typeof part === 'string' || Buffer.isBuffer(part)) socket.write(part)
        else if ('pauseMs' in part) await sleep(part.pauseMs)
        else socket.end()
      }
    })().catch(reject)
  })
}

function isComplete(text: string): boolean {
  const [head, body] = [text.slice(0, text.indexOf('\r\n\r\n')), text.slice(text.indexOf('\r\n\r\n') + 4)]
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  return text.includes('\r\n\r\n') && length !== undefined && Buffer.byteLength(body, 'latin1') >= Number(length)
}

function head(headers: Readonly<Record<string, string | number>>): string {
  const all = {
    host: '127.0.0.1',
    authorization: `Bearer ${served.token}`,
    'content-type': 'application/json',
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n`
}

const withBody = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Part[] => [
  head({ 'content-length': Buffer.byteLength(body), ...headers }),
  body,
]

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const nested = (method: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"name":"echo","arguments":{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}}}`

/** What is sent, the status, and the code or the part of the body that comes back. */
const table: readonly (readonly [string, () => readonly Part[], number, number | string])[] = [
  ['no JSON', () => withBody('hello'), 400, -32700],
  ['half JSON', () => withBody('{"jsonrpc":"2.0","id":1'), 400, -32700],
  ['two values', () => withBody(`${ping}${ping}`), 400, -32700],
  ['broken UTF-8', () => withBody(Buffer.from('{"id":1,"method":"\xff\xfe"}', 'latin1')), 400, -32700],
  ['cut UTF-8', () => withBody(Buffer.from('{"id":1,"method":"é"}').subarray(0, 19)), 400, -32700],
  ['no bytes', () => [head({ 'content-length': 0 })], 400, -32700],
  ['a byte order mark', () => withBody(`\ufeff${ping}`), 400, -32700],
  ['64 MiB + 1, announced', () => [head({ 'content-length': limit + 1 })], 413, -32700],
  [
    '64 MiB + 1, chunked',
    () => [
      head({ 'transfer-encoding': 'chunked' }),
      `${(limit + 1).toString(16)}\r\n`,
      Buffer.alloc(limit + 1, 0x20),
      '\r\n0\r\n\r\n',
    ],
    413,
    -32700,
  ],
  ['64 MiB of white space', () => [head({ 'content-length': limit }), Buffer.alloc(limit, 0x20)], 400, -32700],
  ['10 000 levels', () => withBody(nested('ping')), 200, 'result'],
  ['10 000 levels for a tool that cannot take them', () => withBody(nested('tools/call')), 200, -32603],
  ['10 000 levels of nothing', () => withBody('['.repeat(10_000)), 400, -32700],
  ['duplicate keys', () => withBody('{"id":1,"id":2,"method":"nope","method":"ping"}'), 200, '"id":2,"result":{}'],
  [
    '__proto__',
    () => withBody('{"id":1,"method":"ping","__proto__":{"id":9,"jsonrpc":"1.0"}}'),
    200,
    '"id":1,"result":{}',
  ],
  [
    '__proto__ in arguments',
    () => withBody('{"id":1,"method":"tools/call","params":{"name":"echo","arguments":{"__proto__":{"x":1}}}}'),
    200,
    String.raw`{\"__proto__\":{\"x\":1}}`,
  ],
  ['a constructor as method', () => withBody('{"id":1,"method":"constructor"}'), 200, -32601],
  ['a number as method', () => withBody('{"id":1,"method":1}'), 400, -32600],
  ['null as method', () => withBody('{"id":1,"method":null}'), 400, -32600],
  ['an object as method', () => withBody('{"id":1,"method":{}}'), 400, -32600],
  ['a batch', () => withBody(`[${ping}]`), 400, -32600],
  ['an empty batch', () => withBody('[]'), 400, -32600],
  ['a string', () => withBody('"ping"'), 400, -32600],
  ['a huge id', () => withBody(`{"id":"${'x'.repeat(100_000)}","method":"ping"}`), 200, 'result'],
  ['a 1 MiB header', () => withBody(ping, { 'x-long': 'x'.repeat(1024 * 1024) }), 431, ''],
  ['gzip', () => withBody(ping, { 'content-encoding': 'gzip' }), 415, 'Content-Encoding'],
  ['an unknown coding', () => withBody(ping, { 'content-encoding': 'x-none' }), 415, 'Content-Encoding'],
  ['identity coding', () => withBody(ping, { 'content-encoding': 'identity' }), 200, 'result'],
  ['another content type', () => withBody(ping, { 'content-type': 'text/plain' }), 200, 'result'],
  [
    'a slow body',
    () => [head({ 'content-length': ping.length }), ping.slice(0, 9), { pauseMs: 300 }, ping.slice(9)],
    200,
    'result',
  ],
  ['a half-closed socket', () => [...withBody(ping), { end: true }], 200, 'result'],
]

test.each(table)('%s', async (_, parts, status, expected) => {
  const text = await exchange(parts())
  expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
  if (typeof expected === 'number') expect(text).toContain(`"code":${expected}`)
  else expect(text).toContain(expected)
  expect(text).not.toMatch(/node:|\.ts:\d|at .*\(/)
  const next = await served.post({ jsonrpc: '2.0', id: 'next', method: 'ping' })
  expect(await next.json()).toEqual({ jsonrpc: '2.0', id: 'next', result: {} })
})

test('a client that leaves in the middle of its body disturbs nobody', async () => {
  const before = served.reported.length
  await new Promise<void>((resolve) => {
    const socket = connect({ port: served.port, host: '127.0.0.1' })
    socket.on('close', () => resolve())
    socket.write(`${head({ 'content-length': 1000 })}{"half`, () => socket.resetAndDestroy())
  })
  expect((await served.post({ id: 1, method: 'ping' })).status).toBe(200)
  expect(served.reported).toHaveLength(before)
})

test('500 connections at once are all answered', async () => {
  const texts = await Promise.all(Array.from({ length: 500 }, () => exchange(withBody(ping, { connection: 'close' }))))
  expect(texts.filter((text) => text.endsWith('"result":{}}'))).toHaveLength(500)
})
