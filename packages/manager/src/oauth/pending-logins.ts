import type { AuthorizationServer } from 'oauth4webapi'
import type { HttpServer } from '../config/index.ts'
import type { Clock } from './clock.ts'
import type { ClientIdentity } from './registration.ts'

/** How long a browser has to come back, in milliseconds. */
export const loginLifeMs = 10 * 60_000
/** Logins that may be open at once; the oldest gives way. */
const openLogins = 200

/** A login whose browser is away at the provider. Everything the return is checked against was fixed before it left. */
export interface PendingLogin {
  readonly server: HttpServer
  /** Where the server was when the login began: the tokens are for this address, whatever the file says later. */
  readonly address: string
  readonly issuer: AuthorizationServer
  readonly guessed: boolean
  readonly client: ClientIdentity
  readonly redirect: string
  readonly codeVerifier: string
  readonly scope: string | undefined
  readonly resource: string | undefined
  readonly resourceMetadataUrl: string | undefined
}

/** What became of a `state`. */
export type TakenLogin =
  | { readonly found: 'pending'; readonly login: PendingLogin }
  /** Used up or too old. */
  | { readonly found: 'expired'; readonly serverId: string }
  | { readonly found: 'none' }

/** The open logins by `state`. Each `state` works once and for ten minutes. */
export interface PendingLogins {
  add(state: string, login: PendingLogin): void
  take(state: string): TakenLogin
  /** Whether a login of this server is open. */
  has(serverId: string): boolean
  /** Forgets a server's logins. */
  drop(serverId: string): void
  close(): void
}

/** Keeps open logins. `onAbandoned` is told when the last login of a server was not finished in time. */
export function pendingLogins(clock: Clock, onAbandoned: (serverId: string) => void): PendingLogins {
  const open = new Map<string, { login: PendingLogin; until: number; cancel: () => void }>()
  const past = new Map<string, string>()

  function has(serverId: string): boolean {
    return [...open.values()].some(({ login }) => login.server.id === serverId)
  }

  function end(state: string): void {
    const entry = open.get(state)
    if (entry === undefined) return
    entry.cancel()
    open.delete(state)
    past.set(state, entry.login.server.id)
    for (const oldest of past.keys()) {
      if (past.size <= openLogins) break
      past.delete(oldest)
    }
  }

  return {
    has,
    add(state, login) {
      const cancel = clock.after(loginLifeMs, () => {
        end(state)
        if (!has(login.server.id)) onAbandoned(login.server.id)
      })
      open.set(state, { login, until: clock.now() + loginLifeMs, cancel })
      for (const oldest of open.keys()) {
        if (open.size <= openLogins) break
        end(oldest)
      }
    },
    take(state) {
      const entry = open.get(state)
      const serverId = entry?.login.server.id ?? past.get(state)
      end(state)
      if (entry !== undefined && clock.now() < entry.until) return { found: 'pending', login: entry.login }
      return serverId === undefined ? { found: 'none' } : { found: 'expired', serverId }
    },
    drop(serverId) {
      for (const [state, { login }] of open) if (login.server.id === serverId) end(state)
    },
    close() {
      for (const { cancel } of open.values()) cancel()
      open.clear()
      past.clear()
    },
  }
}
