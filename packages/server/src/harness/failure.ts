import type { HostServiceContext, HostServices } from '@dsh-mcp/host'

export type FailureCode =
  | 'session_not_found'
  | 'session_not_live'
  | 'session_busy'
  | 'invalid_argument'
  | 'service_unavailable'
  | 'model_unavailable'
  | 'preset_not_found'
  | 'workspace_not_found'
  | 'directory_not_found'
  | 'directory_not_allowed'
  | 'permission_not_allowed'
  | 'not_pending'
  | 'bad_answer'
  | 'fork_unavailable'
  | 'command_unknown'
  | 'command_failed'
  | 'resume_failed'
  | 'internal'

/** A request that cannot be served, in words for the one who asked: what failed, and in `hint` what to do next. */
export class Failure extends Error {
  readonly code: FailureCode
  readonly hint: string
  readonly details: Readonly<Record<string, unknown>> | undefined

  constructor(
    code: FailureCode,
    message: string,
    options: { hint: string; details?: Readonly<Record<string, unknown>>; cause?: unknown },
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    this.name = 'Failure'
    this.code = code
    this.hint = options.hint
    this.details = options.details
  }
}

export function sessionNotFound(sessionId: string, cause?: unknown): Failure {
  return new Failure('session_not_found', `no session "${sessionId}", live or stored`, {
    hint: 'List sessions with dsh_list_sessions.',
    details: { sessionId },
    ...(cause === undefined ? {} : { cause }),
  })
}

/** Which package supplies a service, and which shipped profile mounts it (observed on DSH 0.1.0-rc.8). */
const suppliers: Readonly<Record<keyof HostServices, readonly [packageName: string, profiles: string]>> = {
  agentDefaultModel: ['@deepseek-ai/dsh-agent-default-model', 'web and headless profiles'],
  agentPresets: ['@deepseek-ai/dsh-agent-presets', 'web profile'],
  agents: ['@deepseek-ai/dsh-agent', 'web and headless profiles'],
  apiProxy: ['@deepseek-ai/dsh-host-apiproxy', 'web profile'],
  approval: ['@deepseek-ai/dsh-user-approval', 'web and headless profiles'],
  attachments: ['@deepseek-ai/dsh-attachment-local', 'web and headless profiles'],
  commands: ['@deepseek-ai/dsh-commands', 'web and headless profiles'],
  goals: ['@deepseek-ai/dsh-goal', 'web and headless profiles'],
  jobs: ['@deepseek-ai/dsh-jobs-local', 'web and headless profiles'],
  loader: ['@deepseek-ai/cordis-plugin-loader', 'web and headless profiles'],
  llm: ['@deepseek-ai/dsh-llm', 'web and headless profiles'],
  permissionPresets: ['@deepseek-ai/dsh-permission-presets', 'web and headless profiles'],
  planMode: ['@deepseek-ai/dsh-plan-mode', 'web and headless profiles'],
  sessionPersistence: ['@deepseek-ai/dsh-session-persistence-jsonl', 'web and headless profiles'],
  sessionProjectionCache: ['@deepseek-ai/dsh-session-projection-cache', 'web profile'],
  sessionProjections: ['@deepseek-ai/dsh-session-projection', 'web and headless profiles'],
  sessionQuery: ['@deepseek-ai/dsh-session-query-sqlite', 'web and headless profiles'],
  sessionTitle: ['@deepseek-ai/dsh-session-title', 'web and headless profiles'],
  sessions: ['@deepseek-ai/dsh-session', 'web and headless profiles'],
  settings: ['@deepseek-ai/dsh-settings-file', 'web and headless profiles'],
  skills: ['@deepseek-ai/dsh-skill', 'web and headless profiles'],
  subagents: ['@deepseek-ai/dsh-subagent', 'web and headless profiles'],
  tokenMeter: ['@deepseek-ai/dsh-token-meter', 'web and headless profiles'],
  tools: ['@deepseek-ai/dsh-tools', 'web and headless profiles'],
  userQuestions: ['@deepseek-ai/dsh-user-questions', 'web and headless profiles'],
  webServer: ['@deepseek-ai/dsh-host-webserver', 'web profile'],
  workspaceRegistry: ['@deepseek-ai/dsh-workspace', 'web profile'],
}

/** A host service that is not mounted in this composition. */
export function serviceUnavailable(service: keyof HostServices): Failure {
  const [packageName, profiles] = suppliers[service]
  return new Failure('service_unavailable', `the harness service "${service}" is not mounted`, {
    hint: `It is supplied by ${packageName}, mounted by the ${profiles}. Ask the user to run such a profile.`,
    details: { service, package: packageName, profiles },
  })
}

/** Those of some services that are not mounted. A tool that draws on several refuses when it has none of them. */
export function unmounted(host: HostServiceContext, asked: readonly (keyof HostServices)[]): readonly Failure[] {
  return asked.filter((service) => host.get(service) === undefined).map(serviceUnavailable)
}

/** A failure as a line beside what was found all the same. */
export const noteOf = ({ message, hint }: Failure): string => `${message}. ${hint}`

/** The service keys a delegation server looks at, in a stable order. */
export const serviceKeys = Object.keys(suppliers) as readonly (keyof HostServices)[]
