import { randomUUID } from 'node:crypto'
import type { ModelSelection, SessionEvent } from '@dsh-mcp/host'
import { z } from 'zod'
import { Failure, presetOf, serviceUnavailable, userMessage } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import * as inputs from '../inputs.ts'
import { modelShape, state } from '../shapes.ts'
import { modelView } from '../views.ts'
import { requirePermissionPreset } from './permission-preset.ts'
import { requireImageInput } from './revive.ts'

const input = z.strictObject({
  cwd: z.string().min(1).max(4096).optional().describe('Absolute directory to work in; or give workspaceId'),
  workspaceId: z.string().min(1).max(200).optional().describe('From dsh_list_workspaces; or give cwd'),
  prompt: inputs.prompt.optional().describe('First message'),
  images: inputs.images,
  title: inputs.title.optional().describe('Otherwise the harness makes one up'),
  agentPreset: inputs.presetName.optional(),
  permissionPreset: inputs.presetName.optional(),
  provider: inputs.provider.optional().describe('With model, from dsh_list_models'),
  model: inputs.model.optional().describe('With provider, from dsh_list_models'),
  reasoningEffort: inputs.reasoningEffort.optional(),
  sessionId: inputs.sessionId.optional().describe('Your own id: a repeated call then finds the session of the first'),
})

type Args = z.output<typeof input>

/** Starts with the same id at the same time wait for one another, so that only the first creates and prompts. */
const starting = new WeakMap<Harness, Map<string, Promise<unknown>>>()

async function oneAtATime<T>(harness: Harness, sessionId: string, start: () => Promise<T>): Promise<T> {
  let queue = starting.get(harness)
  if (queue === undefined) starting.set(harness, (queue = new Map()))
  const before = queue.get(sessionId)
  const turn = (before ?? Promise.resolve()).then(start, start)
  queue.set(sessionId, turn)
  try {
    return await turn
  } finally {
    if (queue.get(sessionId) === turn) queue.delete(sessionId)
  }
}

function checkShape(args: Args): void {
  if ((args.cwd === undefined) === (args.workspaceId === undefined)) {
    throw new Failure('invalid_argument', 'give exactly one of cwd and workspaceId', {
      hint: 'cwd is an absolute directory; workspaceId comes from dsh_list_workspaces.',
    })
  }
  if ((args.provider === undefined) !== (args.model === undefined)) {
    throw new Failure('invalid_argument', 'provider and model go together', {
      hint: 'Give both, as dsh_list_models lists them, or neither for the default.',
    })
  }
  if (args.images.length > 0 && args.prompt === undefined) {
    throw new Failure('invalid_argument', 'images need a prompt', { hint: 'Say in prompt what to do with them.' })
  }
}

async function existing(harness: Harness, sessionId: string, signal: AbortSignal) {
  try {
    return await harness.logs.read(sessionId, signal)
  } catch (error) {
    if (error instanceof Failure && error.code === 'session_not_found') return undefined
    throw error
  }
}

const alreadyThere =
  'The session exists already; nothing was sent. dsh_read_session shows what it was given, dsh_send_message adds to it.'

/** The message that the first call of a repeated start sent: the session's first, where it says what is asked for again. */
function firstMessageId(events: readonly SessionEvent[], prompt: string | undefined): string | null {
  for (const event of events) {
    // Queued before it is a message of a turn, so that nothing is missed in between.
    const first = event.type === 'agent/inbox/spliced' ? event.data.inserted[0] : undefined
    if (first === undefined) continue
    const [block] = first.content
    return block?.type === 'text' && block.text === prompt ? first.id : null
  }
  return null
}

/** The permission preset to set on the new session; undefined where the harness's own default may stand. */
function permissionPresetFor(harness: Harness, wanted: string | undefined): string | undefined {
  const presets = harness.host.get('permissionPresets')
  if (wanted === undefined) {
    if (presets === undefined || harness.policy.presetAllowed(presets.defaultPreset)) return undefined
    return harness.policy.maxPermissionPreset
  }
  requirePermissionPreset(harness, wanted)
  return wanted
}

async function create(harness: Harness, args: Args, cwd: string, sessionId: string, client: string | undefined) {
  const { agents, models, presets, workspaces, host } = harness
  const wantsModel = args.model !== undefined || args.reasoningEffort !== undefined
  const base = models.defaultSelection()
  const model: ModelSelection | undefined = wantsModel ? await models.resolve(args, base) : base
  if (model === undefined) throw serviceUnavailable('agentDefaultModel')
  const permissionPreset = permissionPresetFor(harness, args.permissionPreset)
  const titles = host.get('sessionTitle')
  if (args.title !== undefined && titles === undefined) throw serviceUnavailable('sessionTitle')
  const composition = await presets.compose(args.agentPreset)
  if (args.images.length > 0) await requireImageInput(harness, model)
  const message = args.prompt === undefined ? undefined : await userMessage(host, args.prompt, args.images, client)

  const agent = await agents.create({ sessionId, cwd, composition, model, pinModel: wantsModel })
  if (permissionPreset !== undefined) host.get('permissionPresets')?.set(agent.session, permissionPreset)
  if (args.title !== undefined) titles?.rename(agent.session, args.title)
  const workspaceId = await workspaces.attach(sessionId, cwd, args.workspaceId)
  if (wantsModel && message === undefined) await models.select(agent, model)
  const afterSeq = agent.session.seq - 1
  if (message !== undefined) agent.followup(message)
  await agents.persist(agent)
  return { agent, workspaceId, afterSeq, messageId: message?.id ?? null }
}

export const startSession = defineTool({
  name: 'dsh_start_session',
  title: 'Start session',
  description:
    'Create a session in a directory and optionally send the first prompt. Returns at once; then dsh_wait_session {sessionId, messageId}.',
  hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  input,
  output: z.object({
    sessionId: z.string(),
    state,
    cwd: z.string().nullable(),
    workspaceId: z.string().nullable(),
    agentPreset: z.string().nullable(),
    permissionPreset: z.string().nullable(),
    model: modelShape.nullable(),
    messageId: z.string().nullable(),
    afterSeq: z.int(),
    created: z.boolean().describe('false: a session of that sessionId was there; nothing was sent'),
    note: z.string().optional(),
  }),
  example: { cwd: '/home/me/project', prompt: 'Find out why the login test fails and fix it.' },
  async run(args, { harness, client, signal }) {
    checkShape(args)
    const { host, lookAt, models, policy, workspaces } = harness
    const asked = args.cwd ?? workspaces.require(args.workspaceId!).path
    const cwd = await policy.directory(asked)
    const sessionId = args.sessionId ?? `session-${randomUUID()}`
    return oneAtATime(harness, sessionId, async () => {
      const found = args.sessionId === undefined ? undefined : await existing(harness, sessionId, signal)
      const permissionPreset = (events: readonly SessionEvent[]) =>
        host.get('permissionPresets')?.current(events) ?? null
      if (found !== undefined) {
        if (found.header.cwd !== cwd && found.header.cwd !== asked) {
          throw new Failure('invalid_argument', `session "${sessionId}" exists in another directory`, {
            hint: 'Choose another sessionId, or leave it out.',
            details: { sessionId, cwd: found.header.cwd ?? null },
          })
        }
        const live = harness.agents.get(sessionId)
        const messageId = firstMessageId(found.events, args.prompt)
        const unsent = args.prompt !== undefined && messageId === null
        return {
          sessionId,
          state: lookAt(sessionId).state,
          cwd: found.header.cwd ?? null,
          workspaceId: workspaces.bySession().get(sessionId) ?? null,
          agentPreset: presetOf(found) ?? null,
          permissionPreset: permissionPreset(found.events),
          model: modelView(live === undefined ? found.fold.model : models.currentOf(live)),
          messageId,
          afterSeq: found.events.length - 1,
          created: false,
          ...(unsent ? { note: alreadyThere } : {}),
        }
      }
      const { agent, workspaceId, afterSeq, messageId } = await create(harness, args, cwd, sessionId, client)
      return {
        sessionId,
        state: lookAt(sessionId).state,
        cwd,
        workspaceId,
        agentPreset: agent.session.header.agentPreset ?? null,
        permissionPreset: permissionPreset(agent.session.events),
        model: modelView(models.currentOf(agent)),
        messageId,
        afterSeq,
        created: true,
      }
    })
  },
})
