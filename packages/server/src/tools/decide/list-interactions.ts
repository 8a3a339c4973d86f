import { z } from 'zod'
import { defineTool, reads } from '../definition.ts'
import { count, sessionId } from '../inputs.ts'
import { outlineOf } from '../outline.ts'
import { interaction } from '../shapes.ts'
import { interactionView } from '../views.ts'
import { requireChannel } from './pending.ts'

export const listInteractions = defineTool({
  name: 'dsh_list_interactions',
  title: 'List pending decisions',
  description: 'Approvals and questions waiting for an answer, all sessions or one.',
  hints: reads,
  input: z.strictObject({
    sessionId: sessionId.optional(),
    kind: z.enum(['any', 'approval', 'question']).default('any'),
    limit: count(1, 100, 50),
  }),
  output: z.object({
    interactions: z.array(interaction),
    total: z.int(),
  }),
  example: { kind: 'approval' },
  async run({ kind, limit, ...args }, { harness, signal }) {
    requireChannel(harness, kind)
    if (args.sessionId !== undefined) await harness.logs.read(args.sessionId, signal)
    const pending = harness.interactions
      .list()
      .filter(
        (each) =>
          (args.sessionId === undefined || each.sessionId === args.sessionId) && (kind === 'any' || each.kind === kind),
      )
    return {
      interactions: pending.slice(0, limit).map((each) => interactionView(harness, each)),
      total: pending.length,
    }
  },
  render: (output) =>
    outlineOf(
      output.interactions,
      'Nothing waits for an answer. dsh_wait_session returns when something does.',
      output,
    ),
})
