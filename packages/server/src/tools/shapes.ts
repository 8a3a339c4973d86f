import { z } from 'zod'

/** Result shapes: what a client may rely on. Their JSON Schema is open, as a result may hold more. */

export const time = z.string().describe('ISO 8601, UTC')

export const state = z
  .enum(['running', 'needs-input', 'background', 'idle', 'stored'])
  .describe('stored: not live; background: turn over, goal, jobs or subagents go on')

export const modelShape = z.object({
  provider: z.string(),
  model: z.string(),
  reasoningEffort: z.string().nullable(),
})

export const lastTurn = z.object({
  turn: z.int(),
  outcome: z.enum(['completed', 'aborted', 'error', 'interrupted', 'max-tokens', 'blocked']),
  startedSeq: z.int(),
  endedSeq: z.int(),
  startedAt: time,
  endedAt: time,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  cancelledBy: z.string().nullable(),
})

export const summary = z.object({
  sessionId: z.string(),
  title: z.string().nullable(),
  state,
  live: z.boolean(),
  cwd: z.string().nullable(),
  workspaceId: z.string().nullable(),
  agentPreset: z.string().nullable(),
  parentSessionId: z.string().nullable(),
  origin: z.string().nullable(),
  createdAt: time,
  updatedAt: time,
  archived: z.boolean(),
})

export const interaction = z.object({
  interactionId: z.string(),
  kind: z.enum(['approval', 'question']),
  sessionId: z.string(),
  title: z.string(),
  requestedAt: time,
  approval: z
    .object({
      toolName: z.string(),
      callId: z.string().nullable(),
      reason: z.string().nullable(),
      arguments: z.string().nullable(),
    })
    .optional(),
  question: z
    .object({
      questions: z.array(
        z.object({
          questionId: z.string(),
          header: z.string().nullable(),
          question: z.string(),
          detail: z.string().nullable(),
          options: z.array(z.object({ label: z.string(), description: z.string().nullable() })),
          multiSelect: z.boolean(),
        }),
      ),
      intent: z.string().nullable(),
    })
    .optional(),
})

export const item = z.object({
  seq: z.int(),
  time,
  type: z.string(),
  role: z.string().optional(),
  text: z.string().optional(),
  truncated: z.boolean().optional(),
  fullChars: z.int().optional(),
  tool: z
    .object({
      callId: z.string(),
      name: z.string(),
      arguments: z.string().optional(),
      isError: z.boolean().optional(),
    })
    .optional(),
  turn: z.int().optional(),
  source: z.string().optional(),
})

export const goal = z.object({
  objective: z.string(),
  phase: z.string(),
  activation: z.string(),
  roundsStarted: z.int(),
  maxGoalRounds: z.int(),
  blockedReason: z.string().nullable().optional(),
})

export const job = z.object({
  jobId: z.string(),
  kind: z.string(),
  label: z.string(),
  status: z.string(),
  startedAt: time,
  finishedAt: time.nullable(),
  detail: z.string().nullable(),
})

export const subagent = z.object({
  sessionId: z.string(),
  label: z.string().nullable(),
  mode: z.string(),
  activity: z.enum(['running', 'inactive']),
  depth: z.int(),
})

export const tokens = z.object({
  uncachedInput: z.number(),
  output: z.number(),
  cacheRead: z.number(),
  cacheWrite: z.number(),
})

export const usage = z.object({
  tokens,
  context: z.object({
    used: z.number().nullable(),
    window: z.number().nullable(),
    ratio: z.number().nullable(),
  }),
  turns: z.int(),
  steps: z.int(),
  llmMs: z.number().nullable(),
  toolMs: z.number().nullable(),
})
