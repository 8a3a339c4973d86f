export type { WorkspaceAgent } from './agent-view.ts'
export type { ConsentSubject } from './consent.ts'
export {
  addServer,
  deleteServer,
  replaceServer,
  setEnabled,
  setExcluded,
  workspaceServerId,
  workspaceTokenKey,
  WorkspaceEditError,
} from './workspace-document.ts'
export { openWorkspaces } from './workspaces.ts'
export type { Workspace, Workspaces, WorkspaceServer, WorkspaceServerHold, WorkspacesOptions } from './workspaces.ts'
