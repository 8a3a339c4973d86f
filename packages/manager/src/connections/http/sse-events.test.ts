import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readEvents } from './sse-events.ts'
import type { StreamEvent } from './sse-events.ts'

async function read(chunks: readonly Uint8Array[], limit = 1_000_000): Promise<StreamEvent[]> {
  const events: StreamEvent[] = []
  for await (const event of readEvents(ReadableStream.from<Uint8Array>(chunks), limit)) events.push(event)
  return events
}

const text =
  'event: endpoint\r\ndata: /m?s=1\r\n\r\n: comment\n\nid: 4\ndata:{"a":\ndata: "世界"}\n\nevent: x\n\ndata\n\ndata: cut off'
const expected = [
  { event: 'endpoint', data: '/m?s=1' },
  { event: 'message', data: '{"a":\n"世界"}' },
  { event: 'message', data: '' },
]

test('however the bytes are cut', async () => {
  const bytes = new TextEncoder().encode(text)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 20 })), async (cuts) => {
      const chunks: Uint8Array[] = []
      let from = 0
      for (const cut of cuts) {
        chunks.push(bytes.subarray(from, from + cut))
        from += cut
      }
      chunks.push(bytes.subarray(from))
      expect(await read(chunks)).toEqual(expected)
    }),
  )
})

test('an endless line ends the stream', async () => {
  await expect(read([new TextEncoder().encode(`data: ${'x'.repeat(200)}`)], 100)).rejects.toThrow(/more than 100/)
})
