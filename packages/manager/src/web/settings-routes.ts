import type { PingReply, SettingsReply } from './api-types.ts'
import { ApiError } from './errors.ts'
import type { ApiParts } from './parts.ts'
import type { Call, Route } from './router.ts'

/** Number of the API, as existing scripts read it from `ping`. */
const apiVersion = 4

function settings(parts: ApiParts, request: Request): SettingsReply {
  const brokerBytes = parts.brokerBytes()
  const callbackUrl = parts.login?.callbackUrl(request)
  return {
    onDemandToolInjection: parts.state.current().onDemandToolInjection,
    directBytes: parts.tools.registered().reduce((sum, entry) => sum + entry.bytes, 0),
    ...(brokerBytes !== undefined && { brokerBytes }),
    askBeforeWorkspaceCommands: parts.askBeforeWorkspaceCommands(),
    ...(callbackUrl !== undefined && { callbackUrl }),
  }
}

async function setOnDemand(parts: ApiParts, { body, request, signal }: Call): Promise<SettingsReply> {
  const { enabled } = body
  if (typeof enabled !== 'boolean') throw new ApiError(400, 'enabled must be a boolean', 'enabled')
  await parts.state.update(
    (draft) => {
      draft.onDemandToolInjection = enabled
    },
    { signal },
  )
  return settings(parts, request)
}

/** Liveness and the switches of the whole profile. */
export function settingsRoutes(parts: ApiParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/ping',
      access: 'anyone-here',
      handle: (): PingReply => ({ ok: true, version: apiVersion, stdio: true, workspace: true, onDemandTools: true }),
    },
    { method: 'GET', path: '/api/settings', handle: ({ request }) => settings(parts, request) },
    { method: 'POST', path: '/api/settings/on-demand', body: true, handle: (call) => setOnDemand(parts, call) },
  ]
}
