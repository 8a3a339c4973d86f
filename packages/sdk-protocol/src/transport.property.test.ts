import { PassThrough } from 'node:stream'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rawWire, turn } from './raw-wire.fixture.ts'
import { JsonRpcLineTransport } from './transport.ts'

const json = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const frame = fc.record({ method: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()), text: json })

test('any frames in any chunks are delivered alike, in order, with params as they were sent', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame, { maxLength: 8 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      async (frames, places) => {
        const { transport, input } = rawWire()
        const seen: unknown[] = []
        transport.onNotification((method, params) => seen.push([method, params]))
        transport.start()
        const bytes = Buffer.from(
          frames
            .map(({ method, text }) => `${JSON.stringify({ jsonrpc: '2.0', method, params: { text } })}\n`)
            .join(''),
        )
        const cuts = [0, ...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
        for (let index = 1; index < cuts.length; index++) input.write(bytes.subarray(cuts[index - 1], cuts[index]))
        input.end()
        await turn()
        await turn()
        expect(seen).toEqual(frames.map(({ method, text }) => [method, { text }]))
      },
    ),
    { numRuns: 150 },
  )
})

test('random bytes never throw, never stall: the frame after them is served', async () => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .string({
        unit: fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '0', 'e', '\\', ' ', '\n', '\r'),
        maxLength: 60,
      })
      .map((text) => Buffer.from(text)),
    json.map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
    fc
      .record({ id: json, method: json, params: json, error: json })
      .map((value) => Buffer.from(`${JSON.stringify(value)}\n`)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(noise, { maxLength: 12 }), async (chunks) => {
      const { transport, input, output } = rawWire({ maxLineBytes: 500 })
      const served = Promise.withResolvers<string>()
      transport.onNotification(() => {
        throw new Error('handler')
      })
      transport.onRequest((method) => {
        if (method === 'the last one') served.resolve(method)
        throw new Error('handler')
      })
      output.resume()
      transport.start()
      for (const chunk of chunks) input.write(chunk)
      input.write('\n{"id":1,"method":"the last one"}\n')
      await expect(served.promise).resolves.toBe('the last one')
      transport.close()
    }),
    { numRuns: 200 },
  )
})

test('every request settles exactly once under any order of answers, aborts, second answers and close', async () => {
  const action = fc.record({
    kind: fc.constantFrom('answer', 'fail', 'abort', 'answer twice', 'turn'),
    which: fc.nat(),
  })
  const ending = fc.constantFrom('close', 'input end', 'output destroy', 'input destroy')
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), fc.array(action), ending, async (count, actions, ending) => {
      const { transport, input, output, sent } = rawWire()
      transport.start()
      const controllers = Array.from({ length: count }, () => new AbortController())
      const settled = new Map<number, number>()
      const all = controllers.map(({ signal }, index) =>
        transport
          .request('m', { index }, index % 2 === 0 ? signal : { signal, timeoutMs: 60_000 })
          .catch(() => 'rejected')
          .then(() => settled.set(index, (settled.get(index) ?? 0) + 1)),
      )
      const ids = (await sent(count)).map(({ id }) => String(id))
      for (const { kind, which } of actions) {
        const id = ids[which % count]!
        if (kind === 'answer') input.write(`{"id":"${id}","result":1}\n`)
        else if (kind === 'fail') input.write(`{"id":"${id}","error":{"code":1,"message":"no"}}\n`)
        else if (kind === 'answer twice') input.write(`{"id":"${id}","result":1}\n{"id":"${id}","result":2}\n`)
        else if (kind === 'abort') controllers[which % count]!.abort()
        else await turn()
      }
      if (ending === 'close') transport.close()
      else if (ending === 'input end') input.end()
      else if (ending === 'input destroy') input.destroy()
      else output.destroy()
      await Promise.all(all)
      expect([...settled.values()]).toEqual(Array<number>(count).fill(1))
      expect(transport.pendingRequests).toBe(0)
      await expect(transport.request('m')).rejects.toThrow()
      transport.close()
    }),
    { numRuns: 100 },
  )
}, 120_000)

test('two ends of this transport answer thousands of concurrent requests, each with its own result', async () => {
  const forth = new PassThrough()
  const back = new PassThrough()
  const server = new JsonRpcLineTransport(forth, back)
  server.onRequest(async (_method, { n }) => {
    if (Number(n) % 3 === 0) await turn()
    return { n }
  })
  server.start()
  const client = new JsonRpcLineTransport(back, forth)
  client.start()
  const answers = await Promise.all(Array.from({ length: 5000 }, (_, n) => client.request('echo', { n })))
  expect(answers).toEqual(Array.from({ length: 5000 }, (_, n) => ({ n })))
})
