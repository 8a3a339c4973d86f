import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { sessionId } from '../inputs.ts'
import { modelShape, state } from '../shapes.ts'
import { modelView } from '../views.ts'
import { reviveForWork } from './revive.ts'

export const resumeSession = defineTool({
  name: 'dsh_resume_session',
  title: 'Resume session',
  description: 'Make a stored session live again without prompting it.',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: z.strictObject({ sessionId }),
  output: z.object({
    sessionId: z.string(),
    state,
    resumed: z.boolean().describe('false: it was live already'),
    model: modelShape.nullable(),
    lastSeq: z.int(),
  }),
  example: { sessionId: 'session-1' },
  async run({ sessionId: id }, { harness, signal }) {
    const { agent, resumed } = await reviveForWork(harness, id, signal)
    return {
      sessionId: id,
      state: harness.lookAt(id).state,
      resumed,
      model: modelView(harness.models.currentOf(agent)),
      lastSeq: agent.session.seq - 1,
    }
  },
})
