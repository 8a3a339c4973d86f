import type { AttemptLog } from '../diagnostics/index.ts'
import { describeFailure } from './failures.ts'
import { onceMore } from './once-more.ts'
import { requestTimeoutMs } from './session.ts'
import type { Listing, Session } from './session.ts'
import { judge } from './verdict.ts'
import { within } from './within.ts'

/** A connection by single requests shows its end only when one is made: after this much silence one is, in milliseconds. */
const silenceMs = 120_000
/** How long a doubtful connection gets to prove that it still works, in milliseconds. */
const verifyMs = 10_000

/** What a session in use tells of itself, until it is released. */
export interface SessionEvents {
  /** It broke by itself. */
  lost(reason: string): void
  /** The server forgot it. */
  expired(): void
  /** A person has to log in. */
  needsLogin(reason: string, missingScope: string | undefined): void
  /** The server's tools changed, and these are the new ones. */
  listed(listing: Listing): void
}

/** A session in use: asks for signs of life, and lists again when the server says that its tools changed. */
export class LiveSession {
  readonly session: Session
  readonly #log: AttemptLog
  readonly #events: SessionEvents
  #silence: NodeJS.Timeout | undefined
  #released = false

  constructor(session: Session, log: AttemptLog, events: SessionEvents) {
    this.session = session
    this.#log = log
    this.#events = events
    session.onClosed = () => {
      const ending = session.transport === 'http-sse' ? 'SSE stream closed' : session.ending
      events.lost(ending ?? 'the connection was closed')
    }
    session.onToolsChanged = onceMore(() => this.#list())
    if (session.transport === 'streamable-http') {
      this.#silence = setTimeout(() => void this.verify(), silenceMs)
      this.#silence.unref()
    }
  }

  /** The server gave a sign of life. */
  heard(): void {
    if (!this.#released) this.#silence?.refresh()
  }

  /** Asks the server for a sign of life; an outage ends the connection, anything else it says is life. */
  async verify(): Promise<void> {
    try {
      await within(verifyMs, (signal) => this.session.check(signal))
    } catch (error) {
      if (this.#released) return
      const verdict = judge(error)
      if (verdict.kind === 'login') this.#events.needsLogin(verdict.reason, verdict.missingScope)
      else if (verdict.kind === 'expired') this.#events.expired()
      else if (verdict.kind === 'outage') this.#events.lost(describeFailure(error))
    }
    this.heard()
  }

  /** It tells nothing more. The connection itself stays open. */
  release(): void {
    this.#released = true
    clearTimeout(this.#silence)
    this.session.onClosed = undefined
    this.session.onToolsChanged = undefined
  }

  async #list(): Promise<void> {
    if (this.#released) return
    try {
      const listing = await within(requestTimeoutMs, (signal) => this.session.list(signal))
      if (!this.#released) this.#events.listed(listing)
    } catch (error) {
      if (this.#released) return
      if (judge(error).kind === 'expired') this.#events.expired()
      else {
        const detail = `the changed list could not be read: ${describeFailure(error)}`
        this.#log.record({ phase: 'tools/list', detail })
      }
    }
  }
}
