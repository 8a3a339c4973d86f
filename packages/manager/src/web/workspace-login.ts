import { workspaceTokenKey } from '../workspaces/index.ts'
import type { ApiParts } from './parts.ts'

/** What a change of a workspace server means for its stored login. */
export type LoginChange =
  | { readonly kind: 'renamed'; readonly from: string; readonly to: string }
  | { readonly kind: 'ended'; readonly name: string }

/**
 * Lets the stored login of a workspace server follow its declaration: it goes along with a new name, and ends with the server
 * or when it no longer fits the declaration.
 */
export async function followWithLogin(
  parts: Pick<ApiParts, 'state'>,
  root: string,
  change: LoginChange,
  signal: AbortSignal,
): Promise<void> {
  const from = workspaceTokenKey(root, change.kind === 'renamed' ? change.from : change.name)
  if (parts.state.current().workspaceTokens[from] === undefined) return
  await parts.state.update(
    (draft) => {
      const { [from]: login, ...others } = draft.workspaceTokens ?? {}
      if (login === undefined) return
      const to = change.kind === 'renamed' ? workspaceTokenKey(root, change.to) : undefined
      draft.workspaceTokens = to === undefined ? others : { ...others, [to]: login }
    },
    { signal },
  )
}
