import type { ConnectionEvent, ConnectionStatus, QuarantinedTool, RemoteTool } from './connection.ts'
import { keepUnchanged } from './same-json.ts'
import type { Listing } from './session.ts'

const nothing: Listing = { tools: [], quarantined: [] }

/** What a connection shows of itself, and who is told when it changes. */
export class ShownState {
  readonly #listeners = new Set<(event: ConnectionEvent) => void>()
  #status: ConnectionStatus = { state: 'disconnected' }
  #tools = nothing.tools
  #quarantined = nothing.quarantined

  get status(): ConnectionStatus {
    return this.#status
  }
  get tools(): readonly RemoteTool[] {
    return this.#tools
  }
  get quarantined(): readonly QuarantinedTool[] {
    return this.#quarantined
  }

  subscribe(listener: (event: ConnectionEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  set(status: ConnectionStatus): void {
    this.#status = status
    this.tell({ kind: 'status' })
  }

  /** Takes a list; what is equal stays the very same value, and is not told. */
  list(listing: Listing): void {
    const tools = keepUnchanged(this.#tools, listing.tools)
    const quarantined = keepUnchanged(this.#quarantined, listing.quarantined)
    if (tools === this.#tools && quarantined === this.#quarantined) return
    this.#tools = tools
    this.#quarantined = quarantined
    this.tell({ kind: 'tools' })
  }

  /** Takes a changed list of a server that is connected. */
  relist(listing: Listing): void {
    if (this.#status.state !== 'connected') return
    this.list(listing)
    const toolCount = listing.tools.length
    if (this.#status.toolCount !== toolCount) this.set({ ...this.#status, toolCount })
  }

  /** Takes all tools away. */
  unlist(): void {
    this.list(nothing)
  }

  tell(event: ConnectionEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Tells nobody any more. */
  close(): void {
    this.#listeners.clear()
  }
}
