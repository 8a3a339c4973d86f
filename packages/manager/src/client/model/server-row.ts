import type { ServerStatus, ServerView } from '../../web/api-types.ts'
import type { Key } from '../locales/index.ts'

/** A text with what goes into it. */
export interface Text {
  readonly key: Key
  readonly params?: Readonly<Record<string, string | number>>
}

/** How a status looks. `idle` says that nothing is known. */
export type Tone = 'good' | 'busy' | 'attention' | 'bad' | 'idle'

const tones: Readonly<Record<ServerStatus, Tone>> = {
  connected: 'good',
  connecting: 'busy',
  authorizing: 'busy',
  'needs-auth': 'attention',
  conflict: 'attention',
  error: 'bad',
  disconnected: 'idle',
  disabled: 'idle',
  configured: 'idle',
}

const labels: Readonly<Record<Exclude<ServerStatus, 'connected'>, Key>> = {
  connecting: 'statusConnecting',
  authorizing: 'statusAuthorizing',
  'needs-auth': 'statusNeedsAuth',
  conflict: 'statusConflict',
  error: 'statusError',
  disconnected: 'statusDisconnected',
  disabled: 'statusDisabled',
  configured: 'statusConfigured',
}

/** The status as shown: colour and words. A status this page does not know is shown as unknown. */
export function statusOf(server: ServerView): { readonly tone: Tone; readonly text: Text } {
  if (server.missingScope !== undefined) return { tone: 'attention', text: { key: 'statusMissingScope' } }
  if (server.status === 'connected') return { tone: 'good', text: countText('statusConnected', server.toolCount) }
  const key: Key | undefined = labels[server.status]
  return { tone: tones[server.status] ?? 'idle', text: { key: key ?? 'statusUnknown' } }
}

/** A text in the right number. */
export function countText(key: 'statusConnected' | 'toolCount' | 'importCount', count: number): Text {
  return { key: count === 1 ? `${key}One` : key, params: { count } }
}

/** What the folded row says below the name: the failure if there is one, else what runs. */
export function summaryOf(server: ServerView): { readonly failure: boolean; readonly text: Text | string } {
  if (server.missingScope !== undefined && server.missingScope !== '') {
    return { failure: true, text: { key: 'failureMissingScope', params: { scope: server.missingScope } } }
  }
  if (server.consent?.state === 'refused') return { failure: true, text: { key: 'consentRefusedTitle' } }
  const error = errorOf(server)
  return error === undefined ? { failure: false, text: targetOf(server) } : { failure: true, text: error }
}

/** Why a server does not run: the host's own line, but for what every new server with a login begins with. */
export function errorOf(server: ServerView): Text | string | undefined {
  const { error } = server
  if (error === null || error === undefined || error === '') return undefined
  return server.status === 'needs-auth' && neverLoggedIn(server) ? { key: 'notLoggedIn' } : error
}

const neverLoggedIn = ({ authMode, oauth }: ServerView): boolean =>
  authMode === 'oauth' && oauth?.expiresAt === null && oauth.lastRefreshError === null && !oauth.needsReauth

/** The command line or address of a server. */
export function targetOf(server: ServerView): string {
  if (server.type === 'http') return server.url ?? ''
  return [server.command ?? '', ...(server.args ?? [])].map((part) => (/\s/.test(part) ? `"${part}"` : part)).join(' ')
}

/** Codes of the system and of TLS that stand in an error's text, each with what helps. */
const stepsByCode: readonly (readonly [code: RegExp, key: Key])[] = [
  [/\bECONNREFUSED\b/, 'nextRefused'],
  [/\b(?:ENOTFOUND|EAI_AGAIN)\b/, 'nextUnknownHost'],
  [/\b(?:ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT)\b/, 'nextNoAnswer'],
  [/\b(?:[A-Z]+_)*SELF_SIGNED_CERT(?:_[A-Z]+)*\b|\bUNABLE_TO_(?:VERIFY|GET)_[A-Z_]+\b/, 'nextCertificate'],
]

/** The text of an error is the host's own; the machine codes in it are the same in every language. */
const nextByCode = (error: string | null | undefined): Key | undefined =>
  stepsByCode.find(([code]) => code.test(error ?? ''))?.[1]

/** What a person can do next about a server that does not run, or nothing. */
export function nextStepOf(server: ServerView): Text | undefined {
  if (server.missingScope !== undefined) return { key: isMachine(server) ? 'nextMachine' : 'nextGrant' }
  switch (server.status) {
    case 'needs-auth':
      if (server.authMode === 'static') return { key: 'nextToken', params: { name: server.tokenEnv ?? '' } }
      return { key: isMachine(server) ? 'nextMachine' : 'nextAuthenticate' }
    case 'authorizing':
      return { key: 'nextAuthorizing' }
    case 'error':
      return { key: server.type === 'stdio' ? 'nextStdio' : (nextByCode(server.error) ?? 'nextHttp') }
    case 'conflict':
      return { key: 'nextConflict' }
    case 'configured':
      // A question about its program says by itself what to do.
      return server.consent === undefined || server.consent.state === 'allowed' ? { key: 'nextConfigured' } : undefined
    case 'disconnected':
      return server.enabled ? { key: 'nextDisconnected' } : undefined
    default:
      return undefined
  }
}

/** A client that logs in by itself: no person can log it in or out. */
const isMachine = (server: ServerView): boolean => server.oauthGrant === 'client_credentials'

/** The login button of a server, if it has one. */
export function loginOf(server: ServerView): Key | undefined {
  if (server.type !== 'http' || server.authMode !== 'oauth' || server.source === 'builtin') return undefined
  if (isMachine(server) || server.status === 'disabled' || server.status === 'conflict') return undefined
  if (server.missingScope !== undefined) return 'grant'
  return hasLogin(server) ? 'reauthenticate' : 'authenticate'
}

/** Whether a login is stored that can be ended. */
export function hasLogin(server: ServerView): boolean {
  if (server.authMode !== 'oauth' || isMachine(server)) return false
  const health = server.oauth
  return server.status === 'connected' || (health !== undefined && health.expiresAt !== null)
}

/** Whether a new attempt makes sense now. */
export function canReconnect(server: ServerView): boolean {
  if (server.source === 'builtin') return false
  return server.status !== 'disabled' && server.status !== 'conflict' && server.status !== 'configured'
}

/** Servers whose name holds the searched text, in any case, in the order given. */
export function searched(servers: readonly ServerView[], text: string): readonly ServerView[] {
  const wanted = text.trim().toLocaleLowerCase()
  return wanted === '' ? servers : servers.filter((server) => server.name.toLocaleLowerCase().includes(wanted))
}
