import { startOddHttp } from '@dsh-mcp/testkit'
import type { Odd } from '@dsh-mcp/testkit'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openScene } from '../test-scene.ts'
import { boundedBody } from './bounded-body.ts'

const limit = 100_000
const json = { 'content-type': 'application/json' }
const events = { 'content-type': 'text/event-stream' }

/** Answers every call with an endless body; `sent` tells how much of it the client took. */
function endless(headers: Record<string, string>, piece: string, sent: { bytes: number }): Odd {
  return ({ message, response }) => {
    if (message.method !== 'tools/call') return false
    response.writeHead(200, headers)
    const pour = (): void => {
      while (!response.destroyed && response.write(piece)) sent.bytes += piece.length
    }
    response.on('drain', pour)
    pour()
    return true
  }
}

test.each([
  ['a JSON answer', json, '['.repeat(10_000)],
  ['one line of an event stream', events, 'data: x'.padEnd(10_000, 'x')],
  ['lines of one event', events, 'data: x\n'.repeat(1_000)],
])('%s without end is given up, and the server goes on serving', async (_, headers, piece) => {
  const sent = { bytes: 0 }
  await using peer = await startOddHttp(endless(headers, piece, sent))
  await using scene = openScene({ frameLimit: limit })
  const server = { type: 'http', url: peer.url, authMode: 'none' }
  const connection = await scene.start('endless', server)
  await expect(connection.callTool('echo', {}, { timeoutMs: 20_000 })).rejects.toThrow(/more than 100000 bytes/)
  // Buffers of the sockets on both sides hold some more.
  expect(sent.bytes).toBeLessThan(limit + 8 * 1024 * 1024)
  peer.odd = () => false
  await connection.reconnect()
  expect((await connection.callTool('echo', { text: 'next' })).content).toEqual([{ type: 'text', text: 'next' }])
})

test('what unpacks to too much is given up too', async () => {
  const bomb = gzipSync(Buffer.alloc(50 * limit, 0x20))
  expect(bomb.length).toBeLessThan(limit)
  await using peer = await startOddHttp(({ message, response }) => {
    if (message.method !== 'tools/call') return false
    response.writeHead(200, { ...json, 'content-encoding': 'gzip', 'content-length': bomb.length }).end(bomb)
    return true
  })
  await using scene = openScene({ frameLimit: limit })
  const connection = await scene.start('bomb', { type: 'http', url: peer.url, authMode: 'none' })
  await expect(connection.callTool('echo', {})).rejects.toThrow(/more than 100000 bytes/)
})

describe('a stream lives as long as its events are small', () => {
  test.each(['\n\n', '\r\n\r\n', '\r\r'])('separated by %j, cut anywhere', async (end) => {
    const text = `data: 0123456789${end}`.repeat(50)
    for (const size of [1, 2, 3, 7, 1_000]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
      const body = ReadableStream.from(pieces.map((piece) => Buffer.from(piece)))
      const response = new Response(body, { headers: events })
      expect(await boundedBody(response, size === 1_000 ? 1_000 : 30).text()).toBe(text)
    }
  })
})
