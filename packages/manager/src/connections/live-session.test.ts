import { expect, test, vi } from 'vitest'
import { createAttemptLog } from '../diagnostics/index.ts'
import { LiveSession } from './live-session.ts'
import type { Listing, Session } from './session.ts'

/** A session whose answers are given by hand, in use. */
function inUse() {
  const listing = Promise.withResolvers<Listing>()
  const sign = Promise.withResolvers<void>()
  const session: Session = {
    transport: 'stdio',
    era: 'legacy',
    protocolVersion: '2025-11-25',
    reason: 'test',
    serverTitle: undefined,
    instructions: undefined,
    list: () => listing.promise,
    call: async () => ({ content: [] }),
    check: () => sign.promise,
    onToolsChanged: undefined,
    onClosed: undefined,
    ending: 'the process ended',
    close: async () => undefined,
  }
  const events = { lost: vi.fn(), expired: vi.fn(), needsLogin: vi.fn(), listed: vi.fn() }
  return { session, listing, sign, events, live: new LiveSession(session, createAttemptLog(), events) }
}

const outage = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const list: Listing = { tools: [], quarantined: [] }

test('tells of a changed list, of an outage and of its end', async () => {
  const { session, listing, sign, events, live } = inUse()
  session.onToolsChanged!()
  listing.resolve(list)
  sign.reject(outage)
  await live.verify()
  expect(events.listed).toHaveBeenCalledExactlyOnceWith(list)
  expect(events.lost).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('ECONNREFUSED'))
  session.onClosed!()
  expect(events.lost).toHaveBeenLastCalledWith('the process ended')
})

test('tells nothing once it is released, also of what was under way', async () => {
  const { session, listing, sign, events, live } = inUse()
  session.onToolsChanged!()
  const verified = live.verify()
  live.release()
  expect([session.onToolsChanged, session.onClosed]).toEqual([undefined, undefined])
  listing.resolve(list)
  sign.reject(outage)
  await verified
  await new Promise(setImmediate)
  for (const event of Object.values(events)) expect(event).not.toHaveBeenCalled()
})
