import type { Client, McpSubscription, StandardSchemaV1, Transport } from '@modelcontextprotocol/client'
import { loadEngine } from './engine.ts'
import type { CallToolResult, Era, QuarantinedTool, RemoteTool, TransportKind } from './connection.ts'
import type { Tap } from './tap.ts'

/** Limit of everything but tool calls, in milliseconds. */
export const requestTimeoutMs = 60_000

/** Budget and cancellation of one call. */
export interface CallLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** What `tools/list` gave, all pages of it. */
export interface Listing {
  readonly tools: readonly RemoteTool[]
  readonly quarantined: readonly QuarantinedTool[]
}

/** One live connection to a server: handshake done, ready for requests. It never reconnects; that is the supervisor's. */
export interface Session {
  readonly transport: TransportKind
  readonly era: Era
  readonly protocolVersion: string
  /** Why this era and transport. */
  readonly reason: string
  readonly instructions: string | undefined
  /** The title the server gives itself. */
  readonly serverTitle: string | undefined
  /** All pages of `tools/list`. */
  list(signal: AbortSignal): Promise<Listing>
  call(name: string, args: Readonly<Record<string, unknown>>, limits: CallLimits): Promise<CallToolResult>
  /** Asks for a sign of life. Rejects as a request does; a server that refuses the question lives. */
  check(signal: AbortSignal): Promise<void>
  /** Called when the server says that its tools changed. */
  onToolsChanged: (() => void) | undefined
  /** Called once when the connection ended and nobody had asked for it. */
  onClosed: (() => void) | undefined
  /** How it ended, when the transport knows. */
  readonly ending: string | undefined
  /** Ends the connection and whatever belongs to it. */
  close(): Promise<void>
}

/** What {@link createSession} stands on. */
export interface SessionParts {
  readonly client: Client
  readonly wire: Transport
  readonly tap: Tap
  readonly transport: TransportKind
  readonly reason: string
  /** How the connection ended, when the transport knows. */
  readonly ending?: () => string | undefined
  readonly beforeClose?: () => Promise<void>
}

const reopenDelays = [1_000, 2_000, 5_000, 15_000, 60_000]

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Takes a result unread: the tap has set aside what the server sent, and {@link readResult} judges it. */
const asSent: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'dsh-mcp', validate: (value) => ({ value }) },
}

function readResult(raw: Record<string, unknown>): CallToolResult {
  return {
    content: Array.isArray(raw.content) ? (raw.content as unknown[]) : [],
    ...('structuredContent' in raw && { structuredContent: raw.structuredContent }),
    ...(raw.isError === true && { isError: true }),
    ...(isRecord(raw._meta) && { _meta: raw._meta }),
  }
}

/** Longest title of a server that is kept, in UTF-16 units: it weighs on the search as a name does. */
const longestTitle = 100

function titleOf(client: Client): string | undefined {
  const title = client.getServerVersion()?.title?.trim()
  return title === undefined || title === '' ? undefined : title.slice(0, longestTitle)
}

/** Wraps a connected engine client. */
export function createSession(parts: SessionParts): Session {
  const { client, tap } = parts
  const era: Era = client.getProtocolEra() ?? 'legacy'
  // In the newer era a call may repeat arguments as headers, which the engine looks up in the list it keeps; else that is spared.
  const mirrorsArguments = era === 'modern'
  const ended = new AbortController()
  let subscription: McpSubscription | undefined

  const session: Session = {
    transport: parts.transport,
    era,
    protocolVersion: client.getNegotiatedProtocolVersion() ?? 'unknown',
    reason: parts.reason,
    instructions: client.getInstructions(),
    serverTitle: titleOf(client),
    onToolsChanged: undefined,
    onClosed: undefined,
    get ending() {
      return parts.ending?.()
    },
    async list(signal) {
      const capabilities = client.getServerCapabilities()
      if (capabilities?.tools === undefined) return { tools: [], quarantined: [] }
      const { tools: accepted } = await client.listTools(undefined, {
        cacheMode: mirrorsArguments ? 'refresh' : 'bypass',
        timeout: requestTimeoutMs,
        signal,
      })
      const listed = tap.listed()
      const names = new Set(accepted.map((tool) => tool.name))
      // Without the capability a tool is called plainly, whatever it says of tasks (MCP 2025-11-25, tasks).
      const taskOnly = new Set(capabilities.tasks?.requests?.tools?.call === undefined ? [] : listed.taskOnly)
      const reasonOf = (name: string): string | undefined => {
        if (!names.has(name)) return 'its x-mcp-header annotations break the rules of MCP 2026-07-28'
        if (taskOnly.has(name)) return 'it runs as a task only (MCP 2025-11-25, tasks), which is not supported here'
        return undefined
      }
      return {
        tools: listed.tools.filter(({ name }) => reasonOf(name) === undefined),
        quarantined: [
          ...listed.quarantined,
          ...listed.tools.flatMap(({ name }) => {
            const reason = reasonOf(name)
            return reason === undefined ? [] : [{ name, reason }]
          }),
        ],
      }
    },
    async call(name, args, { timeoutMs, signal }) {
      const options = { timeout: timeoutMs, ...(signal !== undefined && { signal }) }
      const params = { name, arguments: { ...args } }
      const result = mirrorsArguments
        ? await client.callTool(params, options)
        : await client.request({ method: 'tools/call', params }, asSent, options)
      return readResult(tap.untouched(result))
    },
    async check(signal) {
      const { ProtocolError } = await loadEngine()
      try {
        await (era === 'modern' ? client.discover({ signal }) : client.ping({ signal }))
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
      }
    },
    async close() {
      if (ended.signal.aborted) return
      ended.abort()
      await subscription?.close().catch(() => undefined)
      await parts.beforeClose?.()
      await client.close().catch(() => undefined)
      // The engine's close does not wait for the transport's when the transport closed first.
      await parts.wire.close().catch(() => undefined)
    },
  }

  client.onclose = () => {
    if (ended.signal.aborted) return
    ended.abort()
    session.onClosed?.()
  }
  client.setNotificationHandler('notifications/tools/list_changed', () => session.onToolsChanged?.())

  /** In the newer era changes are told on a stream that has to be asked for, and asked for again when it breaks. */
  async function listen(): Promise<void> {
    for (let round = 0; !ended.signal.aborted; round++) {
      const opened = performance.now()
      try {
        subscription = await client.listen(
          { toolsListChanged: true },
          { timeout: requestTimeoutMs, signal: ended.signal },
        )
        if (round > 0) session.onToolsChanged?.()
        await subscription.closed
      } catch {
        // Refused or broken: tried again below, ever more rarely. Calls go on without it.
      }
      if (performance.now() - opened > 60_000) round = 0
      const delay = reopenDelays[Math.min(round, reopenDelays.length - 1)]!
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, delay)
        timer.unref()
        ended.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
  if (era === 'modern' && client.getServerCapabilities()?.tools?.listChanged === true) void listen()

  return session
}
