import { expect, test } from 'vitest'
import { maxBody, readJson } from './body.ts'

const json = { 'content-type': 'application/json' }

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null

function posted(body: Body, headers: Readonly<Record<string, string>> = json): Request {
  return new Request('http://127.0.0.1/', { method: 'POST', body, headers, duplex: 'half' })
}

/** A body of 6.4 MB in pieces of 64 KiB, and how many were taken. */
function large() {
  let taken = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(64 * 1024))
      if (++taken === 100) controller.close()
    },
  })
  return { stream, taken: () => taken }
}

test('a body that says it is too large is not read', async () => {
  const { stream, taken } = large()
  const request = posted(stream, { ...json, 'content-length': String(maxBody + 1) })
  const before = taken()
  await expect(readJson(request)).rejects.toMatchObject({ status: 413 })
  expect(taken() - before).toBeLessThanOrEqual(1)
})

test('a body that does not say how large it is is read up to the limit', async () => {
  const { stream, taken } = large()
  await expect(readJson(posted(stream))).rejects.toMatchObject({ status: 413 })
  expect(taken()).toBeLessThan(10)
})

test.each([
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), /not UTF-8/],
  ['half a document', '{"a":', /cannot be read/],
  ['a list', '[]', /must be a JSON object/],
  ['null', 'null', /must be a JSON object/],
])('%s is refused with the reason', async (_, body, reason) => {
  await expect(readJson(posted(body))).rejects.toMatchObject({ status: 400, message: expect.stringMatching(reason) })
})

test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data'])(
  'what a foreign page could send as %s is refused',
  async (type) => {
    await expect(readJson(posted('{}', { 'content-type': type }))).rejects.toMatchObject({ status: 415 })
  },
)

test.each(['application/json', 'application/json; charset=utf-8', 'application/merge-patch+json'])(
  'a body of %s is taken',
  async (type) => {
    expect(await readJson(posted('{"a":1}', { 'content-type': type }))).toEqual({ a: 1 })
  },
)

test('no body is an empty object', async () => {
  expect(await readJson(posted(null))).toEqual({})
})
