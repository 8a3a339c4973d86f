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

/** Public names by a key. Most keys have one. */
class Names {
  readonly #names = new Map<string, string[]>()

  get(key: string): readonly string[] {
    return this.#names.get(key) ?? []
  }

  add(key: string, name: string): void {
    const names = this.#names.get(key)
    if (names === undefined) this.#names.set(key, [name])
    else names.push(name)
  }

  delete(key: string, name: string): void {
    const names = this.#names.get(key) ?? []
    const at = names.indexOf(name)
    if (at >= 0) names.splice(at, 1)
    if (names.length === 0) this.#names.delete(key)
  }
}

/** The names under which tools and servers are asked for. */
export class ExactNames {
  readonly #tools = new Names()
  /** By the name of the server, and by its title. */
  readonly #servers = new Names()
  readonly #titles = new Names()

  add({ name, server, serverTitle, tool }: SearchableTool): void {
    this.#tools.add(key(tool), name)
    this.#servers.add(key(server), name)
    if (serverTitle !== undefined) this.#titles.add(key(serverTitle), name)
  }

  delete({ name, server, serverTitle, tool }: SearchableTool): void {
    this.#tools.delete(key(tool), name)
    this.#servers.delete(key(server), name)
    if (serverTitle !== undefined) this.#titles.delete(key(serverTitle), name)
  }

  /** Public names of the tools that are called so: by their own name, or after the name of their server. */
  #toolsCalled(wanted: string): Set<string> {
    const found = new Set(this.#tools.get(wanted))
    for (const start of [wanted, wanted.replace(/^mcp /, '')]) {
      for (let at = start.indexOf(' '); at >= 0; at = start.indexOf(' ', at + 1)) {
        const called = this.#tools.get(start.slice(at + 1))
        if (called.length === 0) continue
        const own = new Set(this.#servers.get(start.slice(0, at)))
        for (const name of called) if (own.has(name)) found.add(name)
      }
    }
    return found
  }

  /** Tells of any tool, by public name, how exactly `query` names it. */
  exactness(query: string): (name: string) => Exactness {
    const wanted = key(query)
    const asked = query.trim()
    const tools = this.#toolsCalled(wanted)
    const ofServer = new Set([...this.#servers.get(wanted), ...this.#titles.get(wanted)])
    return (name) => {
      if (name === asked || tools.has(name)) return 'tool'
      return ofServer.has(name) ? 'server' : 'none'
    }
  }
}
