import { z } from 'zod'
import { Failure, partialText, readPage } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { count, sessionId } from '../inputs.ts'
import { item, state } from '../shapes.ts'
import { transcriptText } from '../views.ts'

export const readSession = defineTool({
  name: 'dsh_read_session',
  title: 'Read transcript',
  description:
    'Messages and tool activity, paged by seq, bounded in size. Without afterSeq or beforeSeq: the newest. Stored sessions are read without reviving them.',
  hints: reads,
  input: z.strictObject({
    sessionId,
    afterSeq: z.int().min(-1).optional().describe('Oldest first from here on; -1 for the beginning'),
    beforeSeq: z.int().min(0).optional().describe('Newest first before here'),
    limit: count(1, 200, 40),
    detail: z
      .enum(['messages', 'tools', 'full'])
      .default('messages')
      .describe('messages: user and assistant; tools: also tool calls and results; full: everything worth reading'),
    maxChars: count(1000, 200_000, 24_000).describe('Limit for the whole page'),
    itemMaxChars: count(200, 200_000, 4000).describe('Limit for one item'),
    includePartial: z.boolean().default(true).describe('Also what the model is writing now'),
  }),
  output: z.object({
    sessionId: z.string(),
    state,
    items: z.array(item),
    firstSeq: z.int().nullable(),
    lastSeq: z.int().nullable(),
    nextAfterSeq: z.int(),
    prevBeforeSeq: z.int(),
    hasMore: z.boolean(),
    hasEarlier: z.boolean(),
    partial: z.object({ text: z.string() }).nullable(),
    truncated: z.boolean(),
  }),
  example: { sessionId: 'session-1', detail: 'tools', limit: 20 },
  async run({ sessionId, includePartial, ...request }, { harness, signal }) {
    if (request.afterSeq !== undefined && request.beforeSeq !== undefined) {
      throw new Failure('invalid_argument', 'afterSeq and beforeSeq exclude each other', {
        hint: 'Give afterSeq to read on, or beforeSeq to read back.',
      })
    }
    const { events, live } = await harness.logs.read(sessionId, signal)
    const page = readPage(events, request)
    const writing = includePartial && live !== undefined && !page.hasMore
    const text = writing ? partialText(events, request.itemMaxChars) : null
    return {
      sessionId,
      state: harness.lookAt(sessionId).state,
      ...page,
      partial: text === null ? null : { text },
    }
  },
  render(output) {
    const { sessionId, state, items, partial, nextAfterSeq, prevBeforeSeq, hasMore, hasEarlier } = output
    const head = `session ${sessionId}, ${state}`
    const body = transcriptText(items)
    const now = partial === null ? '' : `[now writing]\n${partial.text}`
    const hints = [
      hasEarlier ? `earlier: beforeSeq ${prevBeforeSeq}` : '',
      hasMore ? `more: afterSeq ${nextAfterSeq}` : `new from here on: afterSeq ${nextAfterSeq}`,
    ]
    return [head, body, now, hints.filter((hint) => hint !== '').join('; ')].filter((part) => part !== '').join('\n')
  },
})
