import { realpath } from 'node:fs/promises'
import type { ServerDefinition, StateFile } from '../config/index.ts'
import type { ServerConnection, ServerConnections } from '../connections/index.ts'
import type { AgentLayers } from '../tools/index.ts'
import { openAgentView } from './agent-view.ts'
import type { AgentView, WorkspaceAgent } from './agent-view.ts'
import { assignNames } from './assign-names.ts'
import { resolveWorkspaceChain } from './chain.ts'
import { emptyDeclaration } from './declaration.ts'
import { consentSubject } from './consent.ts'
import type { ConsentSubject } from './consent.ts'
import { openWorkspaceFiles } from './workspace-files.ts'
import type { WorkspaceFileState } from './workspace-files.ts'
import type { WorkspaceDocument } from './workspace-document.ts'

/** Why a declared server of a workspace has no connection. */
export type WorkspaceServerHold =
  | { readonly kind: 'disabled' }
  /** `holder` is `global` or the id of the workspace server that has the name. */
  | { readonly kind: 'conflict'; readonly holder: string }
  /** `refused`: a person said no; else nobody has answered yet. */
  | { readonly kind: 'consent'; readonly subject: ConsentSubject; readonly refused: boolean }
  /** No session of the workspace is open. */
  | { readonly kind: 'not-loaded' }

/** One server of a workspace file, running or not. */
export interface WorkspaceServer {
  readonly definition: ServerDefinition
  readonly enabledHere: boolean
  readonly connection: ServerConnection | undefined
  readonly hold: WorkspaceServerHold | undefined
  /** What a person was or will be asked, also when it is allowed already. */
  readonly subject: ConsentSubject | undefined
}

/** One workspace and its file. `root` is its canonical path. */
export interface Workspace extends WorkspaceFileState {
  readonly root: string
  readonly servers: readonly WorkspaceServer[]
}

export interface WorkspacesOptions {
  readonly state: StateFile
  readonly connections: ServerConnections
  readonly layers: AgentLayers
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Roots the host knows as workspaces; asked at each listing. */
  readonly registered: () => Promise<readonly string[]>
  /** Whether a local command of a workspace file needs to be allowed first. Asked at each decision. */
  readonly askBeforeCommands: () => boolean
  /** Told of what a person may want to know. One line, no secrets. */
  readonly log: (line: string) => void
  /** Told the ids of servers that the file of an open workspace declares no more. */
  readonly forget?: (serverId: string) => void
}

/** Which agent sees which servers of which workspace. */
export interface Workspaces {
  /** Reads the workspace files of a new agent, starts their servers and shows their tools. Never rejects. */
  arrive(agent: WorkspaceAgent): Promise<void>
  leave(agent: WorkspaceAgent): void
  /** Connections of the workspaces of one agent, for those who wait for a first attempt. */
  connectionsOf(agent: WorkspaceAgent): readonly ServerConnection[]
  /** Roots of the workspaces one agent works in, the innermost first. */
  rootsOf(agent: WorkspaceAgent): readonly string[]
  /** Every workspace the host knows or a session is open in. */
  list(): Promise<readonly Workspace[]>
  /** The workspace server of an id (`ws-…`), loaded or not. */
  find(serverId: string): Promise<{ readonly workspace: Workspace; readonly server: WorkspaceServer } | undefined>
  /** The canonical path of a workspace the host knows or a session is open in; `undefined` for any other path. */
  resolve(path: string): Promise<string | undefined>
  /**
   * Changes the file of a workspace, then puts the change into effect.
   * @throws {SyntaxError} the file is invalid; it was not touched.
   */
  change(root: string, edit: (document: WorkspaceDocument, globalNames: ReadonlySet<string>) => void): Promise<void>
  /** Remembers a person's answer about exactly this subject of this workspace. */
  decide(root: string, subject: ConsentSubject, allowed: boolean): Promise<void>
  /** Told after each change that a listing would show. */
  subscribe(listener: () => void): () => void
  close(): Promise<void>
}

/** A file that is not there needs no word. */
const nothingTold = { ids: new Set<string>(), lines: '0 servers declared' }

interface LiveAgent {
  readonly chain: readonly string[]
  readonly view: AgentView
}

/** Opens the room. */
export function openWorkspaces(options: WorkspacesOptions): Workspaces {
  const { state, connections, layers, log } = options
  const agents = new Map<WorkspaceAgent, LiveAgent>()
  /** Agents that left, perhaps before their workspace files were read. */
  const gone = new WeakSet<WorkspaceAgent>()
  const listeners = new Set<() => void>()
  /** Ids of the workspace servers that run. */
  let running: ReadonlySet<string> = new Set()
  let conflicts: ReadonlyMap<string, string> = new Map()
  let closed = false

  const files = openWorkspaceFiles(
    () => state.current().workspaceTokens,
    (root) => {
      tell(root)
      settle()
    },
  )
  const unsubscribe = state.subscribe((now, before) => {
    if (now.workspaceTokens !== before.workspaceTokens) void files.reload().then(settle)
    else settle()
  })

  /** Of each loaded file: the ids it declared when it was last read, and what was said of it. */
  const told = new Map<string, { readonly ids: ReadonlySet<string>; readonly lines: string }>()

  /** Says in the log what a file declares and what of it cannot be used; forgets what it declares no more. */
  function tell(root: string): void {
    const { error, declaration } = files.get(root) ?? { error: undefined, declaration: emptyDeclaration }
    const known = new Set([...globalNames(), ...declaration.servers.map(({ name }) => name)])
    const unknown = [...declaration.disabled].filter((name) => !known.has(name))
    const lines = [error ?? `${declaration.servers.length} servers declared`, ...declaration.problems]
    if (unknown.length > 0) lines.push(`"disabled" names unknown servers, ignored: ${unknown.join(', ')}`)
    const before = told.get(root) ?? nothingTold
    const now = { ids: new Set(declaration.servers.map(({ id }) => id)), lines: lines.join('\n') }
    if (now.lines !== before.lines) for (const line of lines) log(`workspace ${root}: ${line}`)
    for (const id of before.ids) if (!now.ids.has(id)) options.forget?.(id)
    told.set(root, now)
  }

  const globalNames = (): ReadonlySet<string> => new Set(state.current().servers.map((server) => server.name))

  function isAllowed(root: string, server: ServerDefinition): boolean {
    const subject = consentSubject(server, options.environment, options.askBeforeCommands())
    return subject === undefined || (state.current().workspaceConsents[root] ?? []).includes(subject.hash)
  }

  /** Local servers and switches that count for one agent; the innermost workspace first. */
  function viewOf(agent: LiveAgent): { servers: readonly ServerDefinition[]; disabled: ReadonlySet<string> } {
    const declarations = agent.chain.map((root) => files.get(root)?.declaration)
    const disabled = new Set(declarations.flatMap((declaration) => [...(declaration?.disabled ?? [])]))
    const servers = declarations
      .flatMap((declaration) => declaration?.servers ?? [])
      .filter((server) => server.enabled && !disabled.has(server.name))
    return { servers, disabled }
  }

  function claims(): ServerDefinition[] {
    const wanted = new Map<string, ServerDefinition>()
    for (const agent of agents.values()) {
      for (const server of viewOf(agent).servers) {
        if (isAllowed(rootOf(server), server)) wanted.set(server.id, server)
      }
    }
    return [...wanted.values()]
  }

  function connectionsOf(servers: readonly ServerDefinition[]): readonly ServerConnection[] {
    return servers
      .filter((server) => running.has(server.id))
      .map((server) => connections.get(server.id))
      .filter((connection) => connection !== undefined)
  }

  /** Makes connections and views what the files, the switches and the live agents ask for. */
  function settle(): void {
    if (closed) return
    const global = globalNames()
    const wanted = claims()
    const names = assignNames(global, wanted, running)
    conflicts = names.conflicts
    for (const id of running) {
      if (!names.granted.has(id)) void connections.stop(id)
    }
    for (const server of wanted) {
      if (names.granted.has(server.id)) connections.start(server)
      else if (!running.has(server.id)) log(`server "${server.name}" of ${rootOf(server)}: its name is taken`)
    }
    running = names.granted
    for (const agent of agents.values()) {
      const { servers, disabled } = viewOf(agent)
      const shown = connectionsOf(servers)
      agent.view.update(shown, new Set([...disabled].filter((name) => global.has(name))))
    }
    for (const listener of listeners) listener()
  }

  function rootOf(server: ServerDefinition): string {
    return server.source.kind === 'workspace' ? server.source.path : ''
  }

  async function arrive(agent: WorkspaceAgent): Promise<void> {
    const chain = await resolveWorkspaceChain(agent.session.header.cwd)
    await Promise.all(chain.map((root) => files.load(root)))
    if (closed || gone.has(agent)) return
    for (const root of chain) tell(root)
    agents.set(agent, { chain, view: openAgentView(agent, layers) })
    settle()
  }

  function leave(agent: WorkspaceAgent): void {
    gone.add(agent)
    agents.get(agent)?.view.dispose()
    if (!agents.delete(agent)) return
    const live = new Set([...agents.values()].flatMap(({ chain }) => chain))
    settle()
    for (const root of files.roots()) {
      if (live.has(root)) continue
      files.unload(root)
      told.delete(root)
    }
  }

  function describe(root: string, file: WorkspaceFileState): Workspace {
    const global = globalNames()
    const servers = file.declaration.servers.map((definition): WorkspaceServer => {
      const enabledHere = definition.enabled && !file.declaration.disabled.has(definition.name)
      const connection = running.has(definition.id) ? connections.get(definition.id) : undefined
      const subject = consentSubject(definition, options.environment, true)
      return { definition, enabledHere, connection, subject, hold: connection ? undefined : hold(definition) }
    })

    function hold(definition: ServerDefinition): WorkspaceServerHold {
      if (!definition.enabled || file.declaration.disabled.has(definition.name)) return { kind: 'disabled' }
      const holder = conflicts.get(definition.id) ?? (global.has(definition.name) ? 'global' : undefined)
      if (holder !== undefined) return { kind: 'conflict', holder }
      const subject = consentSubject(definition, options.environment, options.askBeforeCommands())
      if (subject !== undefined && !isAllowed(root, definition)) {
        const refused = (state.current().workspaceRefusals[root] ?? []).includes(subject.hash)
        return { kind: 'consent', subject, refused }
      }
      return { kind: 'not-loaded' }
    }
    return { ...file, root, servers }
  }

  async function knownRoots(): Promise<readonly string[]> {
    const open = [...agents.values()].map(({ chain }) => chain[0]).filter((root) => root !== undefined)
    const declaring = files.roots().filter((root) => files.get(root)!.declaration.servers.length > 0)
    const registered = await Promise.all((await options.registered()).map((path) => realpath(path).catch(() => path)))
    return [...new Set([...registered, ...open, ...declaring])]
  }

  async function list(): Promise<readonly Workspace[]> {
    const roots = await knownRoots()
    return Promise.all(roots.map(async (root) => describe(root, files.get(root) ?? (await files.peek(root)))))
  }

  return {
    arrive: (agent) => arrive(agent).catch((error: unknown) => log(`workspace of a session: ${String(error)}`)),
    leave,
    connectionsOf(agent) {
      const live = agents.get(agent)
      return live === undefined ? [] : connectionsOf(viewOf(live).servers)
    },
    rootsOf: ({ id }) => [...agents].find(([agent]) => agent.id === id)?.[1].chain ?? [],
    list,
    async find(serverId) {
      for (const workspace of await list()) {
        const server = workspace.servers.find(({ definition }) => definition.id === serverId)
        if (server !== undefined) return { workspace, server }
      }
      return undefined
    },
    async resolve(path) {
      const real = await realpath(path).catch(() => undefined)
      if (real === undefined) return undefined
      return (await knownRoots()).includes(real) ? real : undefined
    },
    async change(root, edit) {
      const global = globalNames()
      await files.change(root, (document) => edit(document, global))
      settle()
    },
    async decide(root, subject, allowed) {
      await state.update((draft) => {
        const answers = (all: Readonly<Record<string, string[]>> = {}, holds: boolean) => {
          const others = (all[root] ?? []).filter((hash) => hash !== subject.hash)
          return { ...all, [root]: holds ? [...others, subject.hash] : others }
        }
        draft.workspaceConsents = answers(draft.workspaceConsents, allowed)
        draft.workspaceRefusals = answers(draft.workspaceRefusals, !allowed)
      })
      settle()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async close() {
      closed = true
      unsubscribe()
      files.close()
      for (const agent of agents.values()) agent.view.dispose()
      agents.clear()
      listeners.clear()
      await Promise.all([...running].map((id) => connections.stop(id)))
    },
  }
}
