import { lookup as systemLookup } from 'node:dns'
import type { LookupAddress, LookupOptions } from 'node:dns'
import { callbackify, promisify } from 'node:util'
import { Agent, ProxyAgent, fetch as undiciFetch } from 'undici'
import type { Dispatcher } from 'undici'
import { addressKind, isWithin, literalKind, reachOf, urlFault } from './address-safety.ts'
import type { Reach } from './address-safety.ts'
import { proxyFor } from '../connections/index.ts'

/** One request as it goes out. Redirects are never followed here. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
  /** `as configured`: the address a person entered for the MCP server itself; not checked. */
  readonly reach: Reach | 'as configured'
}

/** How requests leave; a seam for tests. The answer's body is not read yet. */
export type Send = (url: URL, request: OutgoingRequest) => Promise<Response>

/** Resolves a host name to all its addresses. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** A request that must not be made; the message says why. */
export class ForbiddenTarget extends Error {}

/** Asks the system's resolver. */
export const systemResolve: Resolve = async (hostname) =>
  (await promisify(systemLookup)(hostname, { all: true })).map(({ address }) => address)

/** How far the flow of a server at `url` may reach. A name that cannot be resolved here counts as public. */
export async function reachFrom(url: URL, resolve: Resolve): Promise<Reach> {
  const literal = literalKind(url)
  if (literal !== undefined) return reachOf([literal])
  try {
    const reach = reachOf((await resolve(url.hostname)).map(addressKind))
    return reach === 'machine' ? 'machine by name' : reach
  } catch {
    // Behind a proxy names may be unknown here; the strictest rule is then the right one.
    return 'internet'
  }
}

function beyond(what: string, reach: Reach): ForbiddenTarget {
  if (reach === 'machine by name') {
    return new ForbiddenTarget(
      `${what} is this machine, and only a server that is declared by such an address may name it`,
    )
  }
  const who = reach === 'internet' ? 'a public server' : 'a server in a private network'
  return new ForbiddenTarget(`${what} is not a public address, and ${who} must not send this machine there`)
}

/** Refuses a URL that is not https (or http on loopback), holds credentials, or names an address out of reach. */
export function assertTarget(url: URL, reach: Reach): void {
  const fault = urlFault(url)
  if (fault !== undefined) throw new ForbiddenTarget(fault)
  const kind = literalKind(url)
  if (kind === undefined) return
  if (!isWithin(kind, reach) || (kind === 'loopback' && reach !== 'machine')) throw beyond(url.hostname, reach)
}

type LookupCallback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void

/** A resolver for sockets that gives only addresses within reach, so that a name cannot change between check and use. */
function lookupWithin(reach: Reach | 'as configured', resolve: Resolve) {
  const allowed = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname)
    if (addresses.length === 0) throw new Error(`no address for ${hostname}`)
    if (reach === 'as configured') return addresses
    const outside = addresses.find((address) => !isWithin(addressKind(address), reach))
    if (outside !== undefined) throw beyond(`${hostname} (${outside})`, reach)
    return addresses
  })
  return (hostname: string, options: LookupOptions, callback: LookupCallback): void => {
    allowed(hostname, (error, addresses) => {
      const found = error === null ? addresses.map(withFamily) : []
      const [first] = found
      if (options.all === true || first === undefined) callback(error, found)
      else callback(error, first.address, first.family)
    })
  }
}

function withFamily(address: string): LookupAddress {
  return { address, family: address.includes(':') ? 6 : 4 }
}

/** Options of {@link guardedSend}. */
export interface GuardedSendOptions {
  /** Where the proxy variables are read, at each request. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly resolve?: Resolve
}

/**
 * Sends requests over connections of their own (no reuse), through the proxy of the environment, and only to addresses
 * within reach, checked before and after name resolution. Behind a proxy the proxy resolves names.
 */
export function guardedSend({ environment, resolve = systemResolve }: GuardedSendOptions): Send {
  return async (url, { method, headers, body, signal, reach }) => {
    if (reach !== 'as configured') assertTarget(url, reach)
    const proxy = proxyFor(url, environment)
    const timeouts = { headersTimeout: 0, bodyTimeout: 0, pipelining: 0 }
    const dispatcher: Dispatcher =
      proxy === undefined
        ? new Agent({ ...timeouts, connect: { lookup: lookupWithin(reach, resolve) } })
        : new ProxyAgent({ ...timeouts, uri: proxy })
    try {
      return await undiciFetch(url, { method, headers, body, signal, redirect: 'manual', dispatcher })
    } finally {
      // Graceful: an answer whose body is still on its way is not cut off.
      void dispatcher.close()
    }
  }
}
