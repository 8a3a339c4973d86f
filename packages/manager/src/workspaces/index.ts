export type { WorkspaceAgent } from './agent-view.ts'
export {
  addServer,
  deleteServer,
  replaceServer,
  setEnabled,
  setExcluded,
  workspaceServerId,
  workspaceTokenKey,
} from './workspace-document.ts'
export { openWorkspaces } from './workspaces.ts'
export type { Workspace, Workspaces, WorkspaceServer } from './workspaces.ts'
