import type { Agent } from '@dsh-mcp/host'
import { z } from 'zod'
import { Failure, serviceUnavailable } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import * as inputs from '../inputs.ts'
import { modelShape, summary } from '../shapes.ts'
import { modelView, summaryView } from '../views.ts'
import { requirePermissionPreset } from './permission-preset.ts'
import { reviveForWork } from './revive.ts'

const input = z.strictObject({
  sessionId: inputs.sessionId,
  title: inputs.title.optional(),
  provider: inputs.provider.optional().describe('With model, from dsh_list_models'),
  model: inputs.model.optional().describe('With provider, from dsh_list_models'),
  reasoningEffort: inputs.reasoningEffort.optional(),
  permissionPreset: inputs.presetName.optional(),
  archived: z.boolean().optional().describe('Only true: archiving cannot be undone from here'),
})

type Args = z.output<typeof input>

/** One change, checked and ready. */
interface Change {
  readonly name: string
  apply(): void | Promise<void>
}

function checkShape(args: Args): void {
  const { sessionId: _id, ...changes } = args
  if (Object.values(changes).every((value) => value === undefined)) {
    throw new Failure('invalid_argument', 'nothing to change', {
      hint: 'Give at least one of title, provider and model, reasoningEffort, permissionPreset, archived.',
    })
  }
  if ((args.provider === undefined) !== (args.model === undefined)) {
    throw new Failure('invalid_argument', 'provider and model go together', { hint: 'Give both.' })
  }
  if (args.archived === false) {
    throw new Failure('invalid_argument', 'a session cannot be taken out of the archive from here', {
      hint: 'Leave archived out, or let the user do it on the page of the harness.',
    })
  }
}

function titleChange(harness: Harness, agent: Agent, title: string): Change {
  const titles = harness.host.get('sessionTitle')
  if (titles === undefined) throw serviceUnavailable('sessionTitle')
  return {
    name: 'title',
    apply: () => {
      titles.rename(agent.session, title)
    },
  }
}

async function modelChange(harness: Harness, agent: Agent, args: Args, signal: AbortSignal): Promise<Change> {
  const selection = await harness.models.resolve(args, harness.models.currentOf(agent), signal)
  return { name: 'model', apply: () => harness.models.select(agent, selection) }
}

function permissionChange(harness: Harness, agent: Agent, name: string): Change {
  const presets = requirePermissionPreset(harness, name)
  return { name: 'permissionPreset', apply: () => presets.set(agent.session, name) }
}

/** Checks everything before anything is changed. */
async function plan(harness: Harness, agent: Agent | undefined, args: Args, signal: AbortSignal): Promise<Change[]> {
  const changes: Change[] = []
  if (agent !== undefined) {
    if (args.permissionPreset !== undefined) changes.push(permissionChange(harness, agent, args.permissionPreset))
    if (args.model !== undefined || args.reasoningEffort !== undefined) {
      changes.push(await modelChange(harness, agent, args, signal))
    }
    if (args.title !== undefined) changes.push(titleChange(harness, agent, args.title))
  }
  if (args.archived === true) {
    if (!harness.workspaces.mounted) throw serviceUnavailable('workspaceRegistry')
    changes.push({ name: 'archived', apply: () => harness.workspaces.archive(args.sessionId) })
  }
  return changes
}

/** Archiving alone does not need the session to live, nor does narrowing its permissions need it to be allowed yet. */
async function agentFor(harness: Harness, args: Args, signal: AbortSignal): Promise<Agent | undefined> {
  const { sessionId, archived: _archived, ...inLog } = args
  const { permissionPreset } = inLog
  const changesLog = Object.values(inLog).some((value) => value !== undefined)
  if (!changesLog) {
    await harness.logs.read(sessionId, signal)
    return undefined
  }
  if (permissionPreset !== undefined && harness.policy.presetAllowed(permissionPreset)) {
    return (await harness.agents.revive(sessionId)).agent
  }
  return (await reviveForWork(harness, sessionId, signal)).agent
}

export const updateSession = defineTool({
  name: 'dsh_update_session',
  title: 'Update session',
  description: 'Change title, model, effort, permission preset or archive flag of one session.',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input,
  output: z.object({
    sessionId: z.string(),
    applied: z.array(z.string()),
    session: summary,
    model: modelShape.nullable(),
    permissionPreset: z.string().nullable(),
  }),
  example: { sessionId: 'session-1', title: 'Login fix', permissionPreset: 'workspace-write' },
  async run(args, { harness, signal }) {
    checkShape(args)
    const agent = await agentFor(harness, args, signal)
    const changes = await plan(harness, agent, args, signal)
    for (const change of changes) await change.apply()
    const { events, fold } = await harness.logs.read(args.sessionId, signal)
    return {
      sessionId: args.sessionId,
      applied: changes.map((change) => change.name),
      session: summaryView(await harness.list.one(args.sessionId, signal)),
      model: modelView(agent === undefined ? fold.model : harness.models.currentOf(agent)),
      permissionPreset: harness.host.get('permissionPresets')?.current(events) ?? null,
    }
  },
})
