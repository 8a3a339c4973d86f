import { PassThrough, Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { turn } from './raw-wire.fixture.ts'
import { JsonRpcLineTransport } from './transport.ts'

/** An output that takes each write only when it is told to. */
function slowOutput(highWaterMark: number) {
  const taken: string[] = []
  const waiting: (() => void)[] = []
  const output = new Writable({
    highWaterMark,
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, callback) => {
      waiting.push(() => {
        taken.push(chunk.toString())
        callback()
      })
    },
  })
  return { output, taken, takeOne: () => waiting.shift()?.(), waiting }
}

test('the first line of a turn leaves at once, the others of the turn together in one write', async () => {
  const writes: string[] = []
  const output = new Writable({
    write: (chunk: Buffer, _encoding, callback) => {
      writes.push(chunk.toString())
      callback()
    },
  })
  const transport = new JsonRpcLineTransport(new PassThrough(), output)
  for (let n = 0; n < 5; n++) transport.notify(String(n))
  expect(writes.map((write) => write.split('\n').length - 1)).toEqual([1])
  await turn()
  expect(writes.map((write) => write.split('\n').length - 1)).toEqual([1, 4])
})

test('large and small frames keep their order', async () => {
  const output = new PassThrough()
  let text = ''
  output.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const transport = new JsonRpcLineTransport(new PassThrough(), output)
  const sizes = [1, 10, 70_000, 3, 65_000, 65_000, 200_000, 5]
  for (const size of sizes) transport.notify('m', { text: 'x'.repeat(size) })
  await transport.flush()
  const lines = text.split('\n').slice(0, -1)
  expect(lines.map((line) => (JSON.parse(line) as { params: { text: string } }).params.text.length)).toEqual(sizes)
})

test('flush() settles after all frames before it, and only then', async () => {
  const { output, taken, takeOne } = slowOutput(10)
  const transport = new JsonRpcLineTransport(new PassThrough(), output)
  const state = { flushed: false }
  for (let n = 0; n < 3; n++) transport.notify(String(n))
  const flush = transport.flush().then(() => (state.flushed = true))
  takeOne()
  await turn()
  expect(state.flushed).toBe(false)
  while (!state.flushed) {
    takeOne()
    await turn()
  }
  await flush
  expect(taken.join('').split('\n')).toHaveLength(4)
})

test('flush() rejects when the output dies before', async () => {
  const { output } = slowOutput(10)
  const transport = new JsonRpcLineTransport(new PassThrough(), output)
  transport.notify('m')
  const flush = transport.flush()
  output.destroy(new Error('EPIPE'))
  await expect(flush).rejects.toThrow('EPIPE')
})

test('a producer that waits for drained() never holds more than the high-water mark and one frame', async () => {
  const { output, taken, takeOne } = slowOutput(1000)
  const transport = new JsonRpcLineTransport(new PassThrough(), output)
  const timer = setInterval(takeOne, 0)
  let most = 0
  for (let n = 0; n < 500; n++) {
    transport.notify('m', { n })
    most = Math.max(most, output.writableLength)
    if (transport.needsDrain) await transport.drained()
  }
  await transport.flush()
  clearInterval(timer)
  expect(most).toBeLessThan(1100)
  const numbers = taken
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { params: { n: number } }).params.n)
  expect(numbers).toEqual(Array.from({ length: 500 }, (_, n) => n))
})

test('close() sends what was gathered', async () => {
  const output = new PassThrough()
  const transport = new JsonRpcLineTransport(new PassThrough(), output)
  for (let n = 0; n < 3; n++) transport.notify('m')
  transport.close()
  expect(String(output.read()).split('\n')).toHaveLength(4)
})
