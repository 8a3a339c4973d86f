import type { PermissionPresets } from '@dsh-mcp/host'
import { Failure, serviceUnavailable } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'

/**
 * The permission presets of the harness, of which `wanted` is one that a client may choose.
 * @throws Failure `service_unavailable`, `preset_not_found`, `permission_not_allowed`
 */
export function requirePermissionPreset(harness: Harness, wanted: string): PermissionPresets {
  const presets = harness.host.get('permissionPresets')
  if (presets === undefined) throw serviceUnavailable('permissionPresets')
  if (!presets.names.includes(wanted)) {
    throw new Failure('preset_not_found', `no permission preset "${wanted}"`, {
      hint: `Known presets: ${presets.names.join(', ')}.`,
      details: { available: [...presets.names] },
    })
  }
  harness.policy.requirePreset(wanted)
  return presets
}
