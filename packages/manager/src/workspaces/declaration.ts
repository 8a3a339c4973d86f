import { resolve } from 'node:path'
import { loadServerParser } from '../config/index.ts'
import type { OAuthRecord, ServerDefinition } from '../config/index.ts'
import { namesIn, readWorkspaceDocument, workspaceServerId, workspaceTokenKey } from './workspace-document.ts'

/** What a workspace file says, parsed entry by entry. */
export interface WorkspaceDeclaration {
  /** Valid servers in file order, disabled ones included. */
  readonly servers: readonly ServerDefinition[]
  /** Names switched off in this workspace, global and local ones: `disabled` and the older `exclude` together. */
  readonly disabled: ReadonlySet<string>
  /** The older list by itself, for callers that show it. */
  readonly exclude: readonly string[]
  /** One line for each entry that was left out. */
  readonly problems: readonly string[]
}

/** A workspace without a file. */
export const emptyDeclaration: WorkspaceDeclaration = {
  servers: [],
  disabled: new Set(),
  exclude: [],
  problems: [],
}

/** OAuth records of workspace servers, by token key; they live in the state file and never in the workspace. */
export type WorkspaceTokens = Readonly<Record<string, { readonly oauth?: OAuthRecord } | undefined>>

/**
 * Reads a workspace file. An invalid entry is left out and told of; a stdio server without `cwd` runs in the workspace.
 * @throws {SyntaxError} the file as a whole is invalid.
 */
export async function readDeclaration(
  text: string,
  root: string,
  tokens: WorkspaceTokens,
): Promise<WorkspaceDeclaration> {
  const document = readWorkspaceDocument(text)
  const parse = await loadServerParser()
  const servers: ServerDefinition[] = []
  const problems: string[] = []
  for (const [name, raw] of Object.entries(document.mcpServers ?? {})) {
    const oauth = tokens[workspaceTokenKey(root, name)]?.oauth
    const parsed = parse(raw, {
      id: workspaceServerId(root, name),
      name,
      source: { kind: 'workspace', path: root },
      defaultCwd: root,
      ...(oauth !== undefined && { oauth }),
    })
    if (parsed.ok) servers.push(atHome(parsed.server, root, oauth))
    else problems.push(parsed.problem)
  }
  const exclude = namesIn(document.exclude)
  return { servers, disabled: new Set([...namesIn(document.disabled), ...exclude]), exclude, problems }
}

/**
 * A relative directory is one of the workspace. A token in a workspace file would be committed with it: only the state
 * file's record counts.
 */
function atHome(server: ServerDefinition, root: string, oauth: OAuthRecord | undefined): ServerDefinition {
  if (server.type === 'http') return { ...server, oauth }
  return { ...server, cwd: resolve(root, server.cwd ?? '.') }
}
