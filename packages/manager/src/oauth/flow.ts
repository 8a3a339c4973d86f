import type { AuthorizationServer } from 'oauth4webapi'
import type { HttpServer, StateFile } from '../config/index.ts'
import type { AttemptLog, AttemptLogs } from '../diagnostics/index.ts'
import type { BearerChallenge } from './challenge.ts'
import type { Clock } from './clock.ts'
import { readDeclaration } from './declaration.ts'
import type { OAuthDeclaration } from './declaration.ts'
import type { Reach } from './address-safety.ts'
import { discover, discoverOriginServer, discoverServer } from './discovery.ts'
import type { Discovery } from './discovery.ts'
import { OAuthError } from './errors.ts'
import { reachFrom } from './guarded-fetch.ts'
import type { Resolve, Send } from './guarded-fetch.ts'
import { flowHttp } from './http.ts'
import type { FlowHttp } from './http.ts'
import { recordStore } from './record-store.ts'
import type { RecordStore } from './record-store.ts'
import type { FlowRecord } from './record.ts'
import { guessedEndpoints } from './well-known.ts'

/** Where an MCP server is, with references resolved. */
export interface Endpoint {
  readonly url: URL
  /** Header fields the user configured, without `Authorization`. */
  readonly headers: Readonly<Record<string, string>>
}

/** What the flow needs from outside. */
export interface FlowSettings {
  readonly state: StateFile
  readonly logs: AttemptLogs
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Resolves `${NAME}` references of a server's URL and header fields. */
  readonly endpoint: (server: HttpServer) => Endpoint
  /** https URL of this client's metadata document (SEP-991), when the operator publishes one. */
  readonly clientMetadataUrl?: string
  readonly clock: Clock
  readonly send: Send
  readonly resolve: Resolve
  /** Limit of one OAuth request in milliseconds. */
  readonly requestTimeoutMs?: number
}

/** Everything the steps need to know of one server. */
export interface ServerFlow {
  readonly server: HttpServer
  readonly declaration: OAuthDeclaration
  readonly log: AttemptLog
  readonly store: RecordStore
  readonly endpoint: Endpoint
  http(): Promise<FlowHttp>
  /** How far what the server's metadata names may be away. */
  reach(): Promise<Reach>
  /** The whole discovery chain, afresh; the result is remembered for refreshes. */
  discover(start: {
    challenge?: BearerChallenge
    record: FlowRecord
    answersWithoutLogin?: boolean
  }): Promise<Discovery>
  /**
   * Metadata of the authorization server that issued the tokens of a record, for refresh and revocation: remembered for
   * ten minutes, and longer while the provider cannot be asked.
   */
  issuerOf(record: FlowRecord): Promise<AuthorizationServer>
  /** The `resource` to send with token requests of a record. */
  resourceOf(record: FlowRecord): string | undefined
}

const rememberedMs = 10 * 60_000

/** Metadata of authorization servers by issuer, kept while the plugin runs. */
export type IssuerMemory = Map<string, { readonly issuer: AuthorizationServer; readonly at: number }>

/** Binds the steps to one server. */
export function serverFlow(settings: FlowSettings, memory: IssuerMemory, server: HttpServer): ServerFlow {
  const { clock, send, resolve } = settings
  const log = settings.logs.of(server.id)
  const declaration = readDeclaration(server)
  const store = recordStore(settings.state, server, () => settings.endpoint(server).url)
  let http: Promise<FlowHttp> | undefined
  let reach: Promise<Reach> | undefined

  const flow: ServerFlow = {
    server,
    declaration,
    log,
    store,
    get endpoint() {
      return settings.endpoint(server)
    },
    http() {
      http ??= flow.reach().then((reach) => flowHttp({ send, reach, log, timeoutMs: settings.requestTimeoutMs }))
      return http
    },
    reach() {
      reach ??= reachFrom(settings.endpoint(server).url, resolve)
      return reach
    },
    async discover({ challenge, record, answersWithoutLogin }) {
      const context = { http: await flow.http(), log }
      const discovery = await discover(context, {
        serverUrl: flow.endpoint.url,
        challenge,
        knownMetadataUrl: record.resourceMetadataUrl,
        knownIssuer: record.authorizationServer,
        answersWithoutLogin,
      })
      if (!discovery.guessed) memory.set(discovery.server.issuer, { issuer: discovery.server, at: clock.now() })
      return discovery
    },
    async issuerOf(record) {
      const name = record.authorizationServer
      if (name === undefined) return (await flow.discover({ record })).server
      const known = memory.get(name)
      if (known !== undefined && clock.now() - known.at < rememberedMs && clock.now() >= known.at) return known.issuer
      const context = { http: await flow.http(), log }
      try {
        const ofOrigin = URL.parse(name)?.origin === flow.endpoint.url.origin
        const issuer =
          (await discoverServer(context, name)) ??
          (ofOrigin ? await discoverOriginServer(context, flow.endpoint.url) : undefined)
        if (issuer !== undefined) {
          memory.set(name, { issuer, at: clock.now() })
          return issuer
        }
      } catch (error) {
        if (known !== undefined) return known.issuer
        throw error
      }
      if (known !== undefined) return known.issuer
      if (record.guessed === true) return { ...guessedEndpoints(new URL(name)), issuer: name }
      throw new OAuthError(
        'discovery-failed',
        'discovery',
        `${name} publishes no authorization server metadata any more: the login is kept; log in again if this lasts`,
      )
    },
    resourceOf: (record) => (declaration.sendResource ? record.resource : undefined),
  }
  return flow
}
