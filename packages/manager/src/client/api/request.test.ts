import { expect, test } from 'vitest'
import { createSend, type FailureKind } from './request.ts'

const get = { method: 'GET', path: '/servers' } as const

async function kindOf(answer: () => Response): Promise<[FailureKind, string, string | undefined]> {
  const failure = await createSend(async () => answer())(get).catch((error: unknown) => error)
  const { kind, message, field } = failure as { kind: FailureKind; message: string; field?: string }
  return [kind, message, field]
}

test.each<[string, () => Response, FailureKind, string]>([
  ['a login is wanted', () => new Response('', { status: 401 }), 'unauthorized', ''],
  [
    'the page is refused',
    () => Response.json({ error: 'foreign origin' }, { status: 403 }),
    'forbidden',
    'foreign origin',
  ],
  ['a field is wrong', () => Response.json({ error: 'bad url', field: 'url' }, { status: 400 }), 'refused', 'bad url'],
  ['the host failed', () => Response.json({ error: 'boom' }, { status: 500 }), 'failed', 'boom'],
  ['a route is missing', () => new Response('', { status: 404 }), 'absent', ''],
  ['the shell answers instead', () => new Response('<!doctype html>'), 'absent', ''],
])('%s', async (_, answer, kind, message) => {
  expect((await kindOf(answer)).slice(0, 2)).toEqual([kind, message])
})

test('the wrong field is handed on', async () => {
  expect(await kindOf(() => Response.json({ error: 'x', field: 'url' }, { status: 400 }))).toEqual([
    'refused',
    'x',
    'url',
  ])
})

test('no answer is offline, an abort is an abort', async () => {
  const refused = createSend(async () => {
    throw new TypeError('Failed to fetch')
  })
  await expect(refused(get)).rejects.toMatchObject({ kind: 'offline' })
  await expect(refused({ ...get, signal: AbortSignal.abort() })).rejects.toMatchObject({ kind: 'aborted' })
})

test('a body is JSON, and a change without one still says JSON', async () => {
  const sent: RequestInit[] = []
  const send = createSend(async (_, init) => {
    sent.push(init!)
    return Response.json({})
  })
  await send({ method: 'POST', path: '/x', body: { a: 1 } })
  await send({ method: 'DELETE', path: '/x' })
  await send(get)
  expect(sent.map((init) => init.body)).toEqual(['{"a":1}', '{}', undefined])
  expect(new Headers(sent[1]!.headers).get('content-type')).toBe('application/json')
})
