import { z } from 'zod'
import { Failure } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import { interactionId, sessionId } from '../inputs.ts'
import { notPending, requirePending } from './pending.ts'

export const answerApproval = defineTool({
  name: 'dsh_answer_approval',
  title: 'Answer approval',
  description: 'Allow once or reject one pending tool approval. Ask the user before you allow.',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  input: z.strictObject({
    interactionId,
    decision: z.enum(['allow-once', 'reject']),
    sessionId: sessionId.optional().describe('Checked against the approval'),
  }),
  output: z.object({
    interactionId: z.string(),
    sessionId: z.string(),
    decision: z.enum(['allow-once', 'reject']),
    accepted: z.boolean(),
    toolName: z.string(),
  }),
  example: { interactionId: '0b7c…', decision: 'reject' },
  async run({ interactionId, decision, sessionId: id }, { harness }) {
    const pending = requirePending(harness, 'approval', interactionId, id)
    if (decision === 'allow-once' && !harness.policy.allowApprovals) {
      throw new Failure('permission_not_allowed', 'MCP clients may not allow tool calls on this harness', {
        hint: 'Reject it, or let the user allow it on the page of the harness. The setting is allowApprovals.',
      })
    }
    const receipt = await harness.interactions.decide(pending, decision === 'allow-once')
    if (receipt !== 'accepted') throw notPending(interactionId)
    return { interactionId, sessionId: pending.sessionId, decision, accepted: true, toolName: pending.toolName }
  },
})
