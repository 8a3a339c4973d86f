import type { WorkspaceView } from '../../web/api-types.ts'
import type { HostWorkspace } from '../host/contract.ts'

/** Every workspace that the host or the plugin knows: path, and its title beside the path. */
export function workspaceOptions(
  known: readonly WorkspaceView[],
  host: readonly HostWorkspace[],
): readonly { readonly value: string; readonly text: string }[] {
  const titles = new Map<string, string>()
  for (const { path } of known) titles.set(path, '')
  for (const { path, title = '' } of host) titles.set(path, title)
  return [...titles].map(([path, title]) => ({
    value: path,
    text: title === '' || title === path ? path : `${title} (${path})`,
  }))
}
