import type { Client, PriorDiscovery, Transport } from '@modelcontextprotocol/client'
import { loadEngine } from './engine.ts'
import { requestTimeoutMs } from './session.ts'
import { tap } from './tap.ts'
import type { Tap } from './tap.ts'

/** How long the era probe may take, in milliseconds. */
export const probeTimeoutMs = 3_000

/** Lets a test driver answer what servers ask of clients; the product declares nothing. */
export type ConfigureClient = (client: Client) => void

/** A connected engine client. */
export interface OpenedClient {
  readonly client: Client
  readonly tap: Tap
  /** What to remember for the next time. */
  readonly prior: PriorDiscovery
  /** Why this era, in words. */
  readonly reason: string
}

/** Options of {@link openClient}. */
export interface OpenClientOptions {
  readonly wire: Transport
  readonly prior: PriorDiscovery | undefined
  /** Said of a given `prior`; default `remembered`. */
  readonly priorReason?: string
  /** Limit of the era probe in milliseconds; default {@link probeTimeoutMs}. */
  readonly probeMs?: number
  readonly version: string
  readonly signal: AbortSignal
  readonly configure?: ConfigureClient | undefined
}

/** Connects the engine over a transport: era by probe or as given, then the handshake. Closes the transport on failure. */
export async function openClient(options: OpenClientOptions): Promise<OpenedClient> {
  const { wire, prior, signal, probeMs = probeTimeoutMs } = options
  const engine = await loadEngine()
  signal.throwIfAborted()
  const tapped = tap(wire)
  const client = new engine.Client(
    { name: 'dsh-mcp-manager', version: options.version },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: probeMs } },
      // The tap ends a list that is too long, and keeps what came; the engine would refuse it whole.
      listMaxPages: 0,
    },
  )
  options.configure?.(client)
  const abort = (): void => void wire.close().catch(() => undefined)
  signal.addEventListener('abort', abort, { once: true })
  try {
    await client.connect(wire, { timeout: requestTimeoutMs, ...(prior !== undefined && { prior }) })
    signal.throwIfAborted()
  } catch (error) {
    await wire.close().catch(() => undefined)
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', abort)
  }
  const discover = client.getDiscoverResult()
  // Over HTTP a probe without an answer fails the attempt; so here it was refused.
  const refused = tapped.probeAnswered || wire.hasPerRequestStream === true
  const reason =
    prior !== undefined
      ? (options.priorReason ?? 'remembered')
      : discover !== undefined
        ? 'server/discover answered'
        : refused
          ? 'server/discover refused'
          : `no answer to server/discover within ${probeMs / 1000} s`
  return {
    client,
    tap: tapped,
    prior: discover === undefined ? { kind: 'legacy' } : { kind: 'modern', discover },
    reason,
  }
}
