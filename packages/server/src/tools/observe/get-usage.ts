import { z } from 'zod'
import { usageOf } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { descendantsOf } from '../family.ts'
import { sessionId } from '../inputs.ts'
import * as shapes from '../shapes.ts'

export const getUsage = defineTool({
  name: 'dsh_get_usage',
  title: 'Get usage',
  description: 'Tokens, context pressure, turn counts and timings. Without sessionId: all live sessions.',
  hints: reads,
  input: z.strictObject({ sessionId: sessionId.optional(), includeSubagents: z.boolean().default(true) }),
  output: z.object({
    sessions: z.array(shapes.usage.extend({ sessionId: z.string() })),
    totals: z.object({ tokens: shapes.tokens, turns: z.int(), steps: z.int() }),
  }),
  example: { sessionId: 'session-1' },
  async run({ sessionId: id, includeSubagents }, { harness, signal }) {
    const roots = id === undefined ? harness.agents.liveRoots().map((agent) => agent.id) : [id]
    const ids = new Set(roots)
    if (includeSubagents) {
      for (const root of roots) {
        for (const child of await descendantsOf(harness, root, signal)) ids.add(child)
      }
    }
    const sessions = []
    for (const each of ids) {
      const view = await harness.logs.read(each, signal)
      sessions.push({ sessionId: each, ...(await usageOf(harness.host, view, signal)) })
    }
    const totals = {
      tokens: { uncachedInput: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      turns: 0,
      steps: 0,
    }
    for (const { tokens, turns, steps } of sessions) {
      totals.tokens.uncachedInput += tokens.uncachedInput
      totals.tokens.output += tokens.output
      totals.tokens.cacheRead += tokens.cacheRead
      totals.tokens.cacheWrite += tokens.cacheWrite
      totals.turns += turns
      totals.steps += steps
    }
    return { sessions, totals }
  },
})
