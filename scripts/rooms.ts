/**
 * What each room of a package may know, as docs/architecture.md draws it. A room is entered by its `index.ts`; the linter
 * holds the rooms to this (`oxlint.config.ts`), and `import/no-cycle` sees to it that no way leads back.
 */
export const rooms: Readonly<Record<'manager' | 'server', Readonly<Record<string, readonly string[]>>>> = {
  manager: {
    diagnostics: [],
    config: [],
    imports: ['config'],
    connections: ['config', 'diagnostics'],
    oauth: ['config', 'connections', 'diagnostics'],
    tools: ['config', 'connections'],
    broker: ['tools'],
    workspaces: ['config', 'connections', 'tools'],
    commands: ['config', 'connections', 'diagnostics', 'workspaces'],
    web: ['config', 'connections', 'diagnostics', 'imports', 'tools', 'workspaces'],
    client: [],
  },
  server: {
    gateway: [],
    http: ['gateway'],
    harness: [],
    tools: ['gateway', 'harness'],
    resources: ['gateway', 'harness', 'tools'],
    bridge: [],
  },
}

/** Files that put a package together from its rooms. No room knows them. */
export const assembly: Readonly<Record<'manager' | 'server', readonly string[]>> = {
  manager: ['plugin.ts', 'manager.ts', 'login-port.ts'],
  server: ['plugin.ts', 'mount.ts', 'sets.ts', 'keep-endpoint.ts'],
}

/** Files beside an `index.ts` that a room may name, each with the reason. The empty name is the package's own level. */
export const otherDoors: Readonly<Record<string, readonly string[]>> = {
  // The types of the HTTP API, without imports: compiled for the browser too.
  client: ['web/api-types.ts'],
  // What the start of the host needs; the doors of these rooms bring in what is loaded after it.
  '': ['web/mount.ts', 'config/timeout.ts'],
}
