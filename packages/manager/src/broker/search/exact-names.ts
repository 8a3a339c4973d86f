import type { SearchableTool } from './documents.ts'

/** Case, and the marks between the words of a name, do not matter: `Get-Weather`, `get_weather` and "get weather" are one. */
function key(name: string): string {
  return name
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s._\-/:]+/g, ' ')
    .trim()
}

/** How exactly a query names a tool: the tool itself, the server it belongs to, or neither. */
export type Exactness = 'tool' | 'server' | 'none'

/** The names under which tools and servers are asked for. */
export class ExactNames {
  readonly #tools = new Map<string, Set<string>>()
  readonly #servers = new Map<string, Set<string>>()

  #places({ name, server, serverTitle, tool }: SearchableTool): [Map<string, Set<string>>, string][] {
    const serverKey = key(server)
    const toolKey = key(tool)
    const tools = [key(name), toolKey, `${serverKey} ${toolKey}`]
    const servers = [serverKey, ...(serverTitle === undefined ? [] : [key(serverTitle)])]
    return [
      ...tools.map((name): [Map<string, Set<string>>, string] => [this.#tools, name]),
      ...servers.map((name): [Map<string, Set<string>>, string] => [this.#servers, name]),
    ]
  }

  add(tool: SearchableTool): void {
    for (const [names, name] of this.#places(tool)) {
      const known = names.get(name)
      if (known === undefined) names.set(name, new Set([tool.name]))
      else known.add(tool.name)
    }
  }

  delete(tool: SearchableTool): void {
    for (const [names, name] of this.#places(tool)) {
      const known = names.get(name)
      if (known?.delete(tool.name) === true && known.size === 0) names.delete(name)
    }
  }

  /** Tells of any tool, by public name, how exactly `query` names it. */
  exactness(query: string): (name: string) => Exactness {
    const wanted = key(query)
    const tools = wanted === '' ? undefined : this.#tools.get(wanted)
    const servers = wanted === '' ? undefined : this.#servers.get(wanted)
    return (name) => {
      if (tools?.has(name) === true) return 'tool'
      return servers?.has(name) === true ? 'server' : 'none'
    }
  }
}
