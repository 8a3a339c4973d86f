import { z } from 'zod'
import { userMessage } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import * as inputs from '../inputs.ts'
import { state } from '../shapes.ts'
import { requireImageInput, reviveForWork } from './revive.ts'

export const sendMessage = defineTool({
  name: 'dsh_send_message',
  title: 'Send message',
  description:
    'Queue a follow-up turn, or steer the running one. Revives a stored session. Then dsh_wait_session {sessionId, messageId}.',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input: z.strictObject({
    sessionId: inputs.sessionId,
    message: inputs.prompt,
    mode: z
      .enum(['queue', 'steer'])
      .default('queue')
      .describe('queue: a turn of its own, after the running one; steer: into the running turn, at its next step'),
    images: inputs.images,
  }),
  output: z.object({
    sessionId: z.string(),
    messageId: z.string(),
    mode: z.enum(['queue', 'steer']),
    afterSeq: z.int(),
    state,
    queueLength: z.int().describe('Messages that wait'),
    resumed: z.boolean(),
    note: z.string().optional(),
  }),
  example: { sessionId: 'session-1', message: 'Also add a test for the empty password.' },
  async run({ sessionId: id, message: text, mode, images }, { harness, client, signal }) {
    const { agent, resumed } = await reviveForWork(harness, id, signal)
    if (images.length > 0) await requireImageInput(harness, harness.models.currentOf(agent))
    const message = await userMessage(harness.host, text, images, client)
    const afterSeq = agent.session.seq - 1
    if (mode === 'steer') agent.steer(message)
    else agent.followup(message)
    const queueLength = agent.inbox.nextTurn.length + agent.inbox.nextStep.length
    const { state: stateNow } = harness.lookAt(id)
    await harness.agents.persist(agent)
    return {
      sessionId: id,
      messageId: message.id,
      mode,
      afterSeq,
      state: stateNow,
      queueLength,
      resumed,
      ...(text.startsWith('/') ? { note: 'Sent as text. To run a slash command use dsh_run_command.' } : {}),
    }
  },
})
