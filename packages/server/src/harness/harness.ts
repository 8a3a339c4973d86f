import type { HostServiceContext, Loader } from '@dsh-mcp/host'
import { createActivity } from './activity.ts'
import { createAgents } from './agents.ts'
import type { Agents } from './agents.ts'
import { createBackgroundWork } from './background.ts'
import type { BackgroundWork } from './background.ts'
import { createInteractions } from './interactions/index.ts'
import type { Interactions } from './interactions/index.ts'
import { createModels } from './models.ts'
import type { Models } from './models.ts'
import { createPolicy } from './policy.ts'
import type { Policy, PolicyOptions } from './policy.ts'
import { createPresets } from './presets.ts'
import type { Presets } from './presets.ts'
import { createSessionList } from './session-list.ts'
import type { SessionList } from './session-list.ts'
import { createSessionLogs } from './session-logs.ts'
import type { SessionLogs } from './session-logs.ts'
import { createLookAt } from './session-state.ts'
import type { LookAt } from './session-state.ts'
import { createStoredSessions } from './stored-sessions.ts'
import type { StoredSessions } from './stored-sessions.ts'
import { createWaiting } from './waiting.ts'
import type { Waiting } from './waiting.ts'
import { createWorkspaces } from './workspaces.ts'
import type { Workspaces } from './workspaces.ts'

/** The running harness, one narrow interface for each capability. */
export interface Harness {
  /** For services that a single tool reads. Looked up at each use. */
  readonly host: HostServiceContext
  readonly agents: Agents
  readonly background: BackgroundWork
  readonly interactions: Interactions
  readonly list: SessionList
  readonly logs: SessionLogs
  readonly lookAt: LookAt
  readonly models: Models
  readonly policy: Policy
  readonly presets: Presets
  readonly stored: StoredSessions
  readonly waiting: Waiting
  readonly workspaces: Workspaces
}

/** Whether the composition has a row for the gateway of the web page, mounted or not. */
function gatewayExpected(loader: Loader | undefined): boolean {
  if (loader?.entries === undefined) return false
  for (const entry of loader.entries()) {
    if (entry.disabled !== true && entry.options?.name?.includes('host-apiproxy') === true) return true
  }
  return false
}

/**
 * Opens the harness for tools: waits until its plugin tree has settled, then detects what this host offers. Everything
 * that is registered unwinds with `ctx`; agents that are created live on.
 */
export async function openHarness(ctx: HostServiceContext, policyOptions: PolicyOptions): Promise<Harness> {
  const loader = ctx.get('loader')
  await loader?.await?.()

  const activity = createActivity(ctx)
  const logs = createSessionLogs(ctx, activity)
  const models = createModels(ctx, logs)
  const presets = createPresets(ctx)
  const workspaces = createWorkspaces(ctx)
  const background = createBackgroundWork(ctx)
  const stored = createStoredSessions(ctx)
  const agents = createAgents(ctx, logs, presets, models)
  const interactions = createInteractions(ctx, {
    changed: activity.wake,
    isDriven: agents.isDriven,
    gatewayExpected: gatewayExpected(loader),
  })
  const lookAt = createLookAt(agents, interactions, background)
  return {
    host: ctx,
    agents,
    background,
    interactions,
    list: createSessionList(ctx, { logs, lookAt, stored, workspaces }),
    stored,
    logs,
    lookAt,
    models,
    policy: createPolicy(ctx, policyOptions),
    presets,
    waiting: createWaiting({ activity, logs, lookAt }),
    workspaces,
  }
}
