import { expect, test } from 'vitest'
import { connectionFence } from './connection.ts'

test('a host without an authenticating fence has none', () => {
  expect(connectionFence(undefined)).toBeUndefined()
  expect(connectionFence(null)).toBeUndefined()
  expect(connectionFence({ rpc: {}, createSharedFetchHandler: () => undefined })).toBeUndefined()
  expect(connectionFence({ requestRejection: true })).toBeUndefined()
})

test('the fence keeps its own receiver, and an answer it does not know refuses', () => {
  class Fence {
    readonly answers: Record<string, unknown> = { open: undefined, cookie: 401, host: 403, odd: 'yes' }
    requestRejection(request: { headers: { host?: string } }): unknown {
      return this.answers[request.headers.host ?? '']
    }
  }
  const fence = connectionFence(new Fence())
  const answer = (host: string) => fence?.requestRejection({ headers: { host } })
  expect(answer('open')).toBeUndefined()
  expect(answer('cookie')).toBe(401)
  expect(answer('host')).toBe(403)
  expect(answer('odd')).toBe(403)
})
