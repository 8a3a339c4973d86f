/** A server an agent could have tools of. */
export interface ServerState {
  readonly name: string
  /** As shown on the page: `connected`, `needs-auth`, `error`, `disabled` and so on. */
  readonly state: string
}

export interface EmptySearch {
  readonly query?: string | undefined
  readonly server?: string | undefined
  readonly servers: readonly ServerState[]
  /** Names of the servers that have a tool the agent can see, one for each tool. */
  readonly visibleServers: readonly string[]
}

const MOST_NAMES = 30

function list(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).join(', ')
  return names.length > MOST_NAMES ? `${shown} and ${names.length - MOST_NAMES} more` : shown
}

/** Why a search found nothing, and what to do next: for the model, in a sentence or two. */
export function explainEmpty({ query, server, servers, visibleServers }: EmptySearch): string {
  const visible = [...new Set(visibleServers)].sort()
  if (visible.length === 0) {
    if (servers.length === 0) return 'No MCP server is set up here. The user can add one in Settings > MCP.'
    const states = list(servers.map(({ name, state }) => `${name} (${state})`))
    if (servers.every(({ state }) => state === 'disabled'))
      return `All MCP servers are switched off: ${states}. The user can switch them on in Settings > MCP.`
    if (servers.some(({ state }) => state === 'connected'))
      return `The MCP servers offer no tool to this session: ${states}. Tools may be switched off in Settings > MCP.`
    return `No MCP server is connected: ${states}. Try again later, or ask the user to look at Settings > MCP.`
  }
  if (server !== undefined && !visible.some((name) => name.toLowerCase() === server.toLowerCase())) {
    const known = servers.find(({ name }) => name.toLowerCase() === server.toLowerCase())
    const why = known === undefined ? 'There is no MCP server' : `No visible tool (${known.state}) of MCP server`
    return `${why} "${server}". Servers with tools: ${list(visible)}.`
  }
  const where = server === undefined ? `servers: ${list(visible)}` : `server ${server}`
  return `Nothing matches "${query ?? ''}". Use fewer or other words, or leave out query to list all tools. ${where[0]!.toUpperCase()}${where.slice(1)}.`
}
