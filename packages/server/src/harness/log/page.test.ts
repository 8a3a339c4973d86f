import type { SessionEvent } from '@dsh-mcp/host'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { log, user } from './log-fixture.ts'
import { partialText, readPage } from './page.ts'
import type { Page, PageRequest } from './page.ts'

const wide: PageRequest = { limit: 200, detail: 'messages', maxChars: 200_000, itemMaxChars: 50_000 }

type Said = { readonly by: 'user' | 'assistant' | 'chunk'; readonly text: string }

function conversation(said: readonly Said[]): readonly SessionEvent[] {
  return log(
    ...said.map(({ by, text }, index) => {
      if (by === 'user')
        return { type: 'user/message' as const, data: user(`m${index}`, text), surfaceOp: 'append' as const }
      if (by === 'chunk') {
        const data = { turn: 1, step: 1, chunk: { type: 'text-delta', text } }
        return { type: 'assistant/chunk' as const, data }
      }
      const data = { turn: 1, step: 1, message: { content: [{ type: 'text' as const, text }] } }
      return { type: 'assistant/message' as const, data, surfaceOp: 'append' as const }
    }),
  )
}

const said = fc.array(
  fc.record({
    by: fc.constantFrom('user' as const, 'assistant' as const, 'chunk' as const),
    text: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter((text) => text.trim() !== ''),
  }),
  { maxLength: 40 },
)
const bounds = fc.record({
  limit: fc.integer({ min: 1, max: 6 }),
  maxChars: fc.integer({ min: 60, max: 200 }),
})

function walk(events: readonly SessionEvent[], request: PageRequest, forwards: boolean): readonly Page[] {
  const pages: Page[] = []
  let cursor: Pick<PageRequest, 'afterSeq' | 'beforeSeq'> = forwards ? { afterSeq: -1 } : {}
  for (;;) {
    const page = readPage(events, { ...request, ...cursor })
    pages.push(page)
    if (!(forwards ? page.hasMore : page.hasEarlier)) return pages
    cursor = forwards ? { afterSeq: page.nextAfterSeq } : { beforeSeq: page.prevBeforeSeq }
    if (pages.length > events.length + 1) throw new Error('the pages do not end')
  }
}

test('paging either way gives every item once, in order, within the bounds', () => {
  fc.assert(
    fc.property(said, bounds, (conversationSaid, { limit, maxChars }) => {
      const events = conversation(conversationSaid)
      const request = { ...wide, limit, maxChars }
      const all = readPage(events, wide).items
      const forwards = walk(events, request, true)
      const backwards = walk(events, request, false)
      expect(forwards.flatMap((page) => page.items)).toEqual(all)
      expect(backwards.toReversed().flatMap((page) => page.items)).toEqual(all)
      for (const { items } of [...forwards, ...backwards]) {
        expect(items.length).toBeLessThanOrEqual(limit)
        expect(items.reduce((sum, item) => sum + item.text!.length, 0)).toBeLessThanOrEqual(maxChars)
      }
    }),
  )
})

test('an item that alone exceeds the page is cut, never left out, and never in the middle of a code point', () => {
  const events = conversation([{ by: 'user', text: 'a🙂🙂🙂' }])
  const page = readPage(events, { ...wide, itemMaxChars: 4 })
  expect(page.items).toMatchObject([{ text: 'a🙂', truncated: true, fullChars: 7 }])
  expect(page.truncated).toBe(true)
  expect(readPage(events, { ...wide, maxChars: 2 }).items).toMatchObject([{ text: 'a', truncated: true, fullChars: 7 }])
})

test('a page without items advances all the same', () => {
  const events = conversation([
    { by: 'user', text: 'x' },
    { by: 'chunk', text: 'y' },
    { by: 'chunk', text: 'z' },
  ])
  expect(readPage(events, { ...wide, afterSeq: 0 })).toMatchObject({
    items: [],
    nextAfterSeq: 2,
    hasMore: false,
    firstSeq: null,
  })
  expect(readPage(events, { ...wide, afterSeq: 99 })).toMatchObject({ items: [], nextAfterSeq: 2, hasMore: false })
  expect(readPage([], wide)).toMatchObject({ items: [], nextAfterSeq: -1, hasMore: false, hasEarlier: false })
})

test('what a compaction restates is not an item, and a result carries the name of its call', () => {
  const events = log(
    { type: 'turn/start', data: { turn: 3 } },
    { type: 'user/message', data: user('a', 'do it'), surfaceOp: 'append' },
    { type: 'tool/call', data: { turn: 3, step: 1, callId: 'c1', name: 'bash', arguments: '{}' } },
    {
      type: 'tool/result',
      data: {
        turn: 3,
        step: 1,
        message: {
          role: 'user',
          content: [{ type: 'tool-result', toolCallId: 'c1', isError: true, content: [{ type: 'text', text: 'no' }] }],
        },
      },
      surfaceOp: 'append',
    },
    { type: 'user/message', data: user('s', 'summary of the above'), surfaceOp: { op: 'replace', start: 1, end: 3 } },
    { type: 'turn/end', data: { turn: 3, reason: { kind: 'completed' } } },
  )
  const { items } = readPage(events, { ...wide, detail: 'tools' })
  expect(
    items.map(({ type, text, tool, turn }) => ({ type, text, name: tool?.name, isError: tool?.isError, turn })),
  ).toEqual([
    { type: 'user', text: 'do it', name: undefined, isError: undefined, turn: 3 },
    { type: 'tool-call', text: undefined, name: 'bash', isError: undefined, turn: 3 },
    { type: 'tool-result', text: 'no', name: 'bash', isError: true, turn: 3 },
  ])
})

test('a result in the later form, a message of role tool, is read alike', () => {
  const events = log(
    { type: 'tool/call', data: { turn: 1, step: 1, callId: 'c1', name: 'read', arguments: '{}' } },
    {
      type: 'tool/result',
      data: {
        turn: 1,
        step: 1,
        message: { role: 'tool', toolCallId: 'c1', isError: false, content: [{ type: 'text', text: 'text' }] },
      },
      surfaceOp: 'append',
    },
  )
  expect(readPage(events, { ...wide, detail: 'tools' }).items[1]).toMatchObject({
    text: 'text',
    tool: { name: 'read', isError: false },
  })
})

test('what is being written is what came after the last complete message', () => {
  const before = conversation([
    { by: 'chunk', text: 'old ' },
    { by: 'assistant', text: 'old' },
  ])
  expect(partialText(before, 100)).toBeNull()
  const now = conversation([
    { by: 'assistant', text: 'old' },
    { by: 'chunk', text: 'new ' },
    { by: 'chunk', text: 'text 🙂' },
  ])
  expect(partialText(now, 100)).toBe('new text 🙂')
  expect(partialText(now, 1)).toBe('')
})

test('a log of 100 000 events gives a page no larger than asked for', () => {
  const events = conversation(
    Array.from({ length: 100_000 }, (_, index) => ({ by: index % 10 === 0 ? 'user' : 'chunk', text: `line ${index}` })),
  )
  const page = readPage(events, { limit: 40, detail: 'full', maxChars: 24_000, itemMaxChars: 4000 })
  expect(page.items).toHaveLength(40)
  expect(JSON.stringify(page).length).toBeLessThan(10_000)
  expect(page).toMatchObject({ lastSeq: 99_990, nextAfterSeq: 99_999, hasEarlier: true, hasMore: false })
})
