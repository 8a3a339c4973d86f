/** `createdAt` and `updatedAt` are ISO 8601. */
export interface Workspace {
  readonly id: string
  readonly path: string
  readonly title: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly sessionIds: readonly string[]
  attachSession(sessionId: string): Promise<void>
  status(): Promise<string>
}

export interface WorkspaceRegistry {
  list(): readonly Workspace[]
  get(id: string): Workspace | undefined
  resolveByPath(path: string): Promise<Workspace | undefined>
  readonly archivedSessionIds: readonly string[]
  archiveSession(sessionId: string): Promise<void>
}
