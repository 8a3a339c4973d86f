import type { Activity } from './activity.ts'
import { Failure } from './failure.ts'
import type { LogFold, Turn } from './log/fold.ts'
import type { SessionLogs } from './session-logs.ts'
import type { LookAt, Moment } from './session-state.ts'

export type Until = 'settled' | 'idle' | 'turn' | 'input'

export type WaitReason =
  | 'completed'
  | 'failed'
  | 'aborted'
  | 'needs-input'
  | 'stored'
  | 'timeout'
  | 'discarded'
  | 'already-idle'

export interface WaitRequest {
  readonly sessionId: string
  readonly until: Until
  readonly messageId: string | undefined
  /** Turns that end after this seq count; without it, turns that end after the call. */
  readonly afterSeq: number | undefined
  readonly timeoutMs: number
  /** Ends the wait, never the session's work. */
  readonly signal: AbortSignal
}

export interface WaitOutcome {
  readonly reason: WaitReason
  readonly waitedMs: number
  readonly moment: Moment
  /** The turn of the message that was waited for; without one, the turn that runs, else the last one that ended. */
  readonly turn: Turn | undefined
  readonly lastSeq: number
  /** Whether the message waits in a queue that nothing moves on. */
  readonly parked: boolean
}

export interface Waiting {
  /** @throws Failure `session_not_found`; `invalid_argument` for a message that is not of this session. */
  wait(request: WaitRequest): Promise<WaitOutcome>
}

/** How long a session must stay quiet before its work counts as done, in milliseconds. */
const quietMs = 20
/** The same where goals, jobs or subagents may start the next turn: gaps up to 111 ms were observed on DSH 0.1.0-rc.8. */
const quietWithBackgroundMs = 250
/** For changes that no event announces. */
const tickMs = 1000

function reasonOf(turn: Turn): WaitReason {
  switch (turn.outcome) {
    case 'aborted':
    case 'interrupted':
      return 'aborted'
    case 'error':
    case 'blocked':
      return 'failed'
    case 'completed':
    case 'max-tokens':
    case null:
      return 'completed'
    default:
      return turn.outcome satisfies never
  }
}

type Verdict =
  | { readonly kind: 'done'; readonly reason: WaitReason; readonly turn?: Turn | undefined; readonly parked?: boolean }
  | { readonly kind: 'quiet'; readonly reason: WaitReason; readonly turn?: Turn | undefined; readonly parked?: boolean }
  | { readonly kind: 'on' }

const on: Verdict = { kind: 'on' }

/** What a moment means to a waiter. Turns with `endedSeq` above `baseline` are news to it. */
export function judge(
  moment: Moment,
  fold: LogFold,
  request: Pick<WaitRequest, 'until' | 'messageId'>,
  baseline: number,
): Verdict {
  const { until, messageId } = request
  const fate = messageId === undefined ? undefined : fold.fateOf(messageId)
  if (fate?.kind === 'discarded') return { kind: 'done', reason: 'discarded' }
  const news = fold.turns.filter((turn) => turn.endedSeq !== null && turn.endedSeq > baseline)
  const own = fate?.kind === 'claimed' ? fate.turn : undefined
  const ended =
    messageId === undefined ? (until === 'turn' ? news[0] : news.at(-1)) : own?.outcome == null ? undefined : own
  if (until === 'turn' && ended !== undefined) return { kind: 'done', reason: reasonOf(ended), turn: ended }
  if (moment.state === 'needs-input') return { kind: 'done', reason: 'needs-input' }
  if (moment.state === 'running') return on
  if (moment.state === 'background' && until !== 'idle') return on
  if (ended !== undefined) return { kind: 'quiet', reason: reasonOf(ended), turn: ended }
  return { kind: 'quiet', reason: 'already-idle', parked: fate?.kind === 'queued' }
}

/** What a wait that no turn has ended tells of. A turn of somebody else's message would read as the answer to this one. */
function turnOf(fold: LogFold, messageId: string | undefined): Turn | undefined {
  if (messageId === undefined) return fold.openTurn() ?? fold.lastEndedTurn()
  const fate = fold.fateOf(messageId)
  return fate.kind === 'claimed' ? fate.turn : undefined
}

/** @throws Failure `invalid_argument` */
function requireMessage(fold: LogFold, { sessionId, messageId }: WaitRequest): void {
  if (messageId === undefined || fold.fateOf(messageId).kind !== 'unknown') return
  throw new Failure('invalid_argument', `no message "${messageId}" in session "${sessionId}"`, {
    hint: 'Give the messageId that dsh_start_session or dsh_send_message returned, or leave it out.',
  })
}

function quietTime({ background }: Moment): number {
  if (background === undefined) return quietMs
  const { goal, jobs, runningSubagents } = background
  return goal !== undefined || jobs.length > 0 || runningSubagents.length > 0 ? quietWithBackgroundMs : quietMs
}

/** Calls every registered listener once a second; the timer runs only while there is one and keeps no process alive. */
function createTicker() {
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  return (listener: () => void) => {
    listeners.add(listener)
    timer ??= setInterval(() => {
      for (const each of listeners) each()
    }, tickMs).unref()
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0) return
      clearInterval(timer)
      timer = undefined
    }
  }
}

/** Waits for the next call of a wake function, at most `ms`. */
function createAlarm(signal: AbortSignal) {
  let ring = (): void => {}
  let rung = false
  return {
    wake(): void {
      rung = true
      ring()
    },
    /** True when something woke it before the time was over. */
    async sleep(ms: number): Promise<boolean> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(done, ms)
          function done() {
            clearTimeout(timer)
            signal.removeEventListener('abort', done)
            ring = () => {}
            resolve()
          }
          ring = done
          signal.addEventListener('abort', done, { once: true })
        })
      }
      signal.throwIfAborted()
      const woken = rung
      rung = false
      return woken
    },
  }
}

export function createWaiting(parts: {
  readonly activity: Activity
  readonly logs: SessionLogs
  readonly lookAt: LookAt
}): Waiting {
  const { activity, logs, lookAt } = parts
  const onTick = createTicker()

  async function storedOutcome(request: WaitRequest, started: number): Promise<WaitOutcome> {
    const { fold } = await logs.read(request.sessionId, request.signal)
    requireMessage(fold, request)
    const { messageId } = request
    const fate = messageId === undefined ? undefined : fold.fateOf(messageId).kind
    return {
      reason: fate === 'discarded' ? 'discarded' : 'stored',
      waitedMs: Math.round(performance.now() - started),
      moment: lookAt(request.sessionId),
      turn: turnOf(fold, messageId),
      lastSeq: fold.nextSeq - 1,
      parked: fate === 'queued',
    }
  }

  async function follow(request: WaitRequest, started: number): Promise<WaitOutcome> {
    const { sessionId, signal, timeoutMs } = request
    const alarm = createAlarm(signal)
    const stops = [activity.watch(sessionId, alarm.wake), onTick(alarm.wake)]
    let baseline = request.afterSeq
    let quietSince: number | undefined
    try {
      for (;;) {
        const moment = lookAt(sessionId)
        if (moment.agent === undefined) return await storedOutcome(request, started)
        const fold = logs.foldOf(moment.agent.session)
        baseline ??= fold.nextSeq - 1
        requireMessage(fold, request)
        const now = performance.now()
        const verdict = judge(moment, fold, request, baseline)
        quietSince = verdict.kind === 'quiet' ? (quietSince ?? now) : undefined
        const quietLeft = quietSince === undefined ? Infinity : quietSince + quietTime(moment) - now
        const timeLeft = started + timeoutMs - now
        if (verdict.kind === 'done' || (verdict.kind === 'quiet' && (quietLeft <= 0 || timeLeft <= 0))) {
          return {
            reason: verdict.reason,
            waitedMs: Math.round(now - started),
            moment,
            turn: verdict.turn ?? turnOf(fold, request.messageId),
            lastSeq: fold.nextSeq - 1,
            parked: verdict.parked === true,
          }
        }
        if (timeLeft <= 0) {
          return {
            reason: 'timeout',
            waitedMs: Math.round(now - started),
            moment,
            turn: turnOf(fold, request.messageId),
            lastSeq: fold.nextSeq - 1,
            parked: false,
          }
        }
        await alarm.sleep(Math.min(quietLeft, timeLeft))
      }
    } finally {
      for (const stop of stops) stop()
    }
  }

  return {
    async wait(request) {
      const started = performance.now()
      return lookAt(request.sessionId).agent === undefined ? storedOutcome(request, started) : follow(request, started)
    },
  }
}
