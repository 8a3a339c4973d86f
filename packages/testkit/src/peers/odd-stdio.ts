import { fileURLToPath } from 'node:url'
import { nodeBinary } from '../host/paths.ts'

const program = fileURLToPath(new URL('odd-stdio.program.mjs', import.meta.url))

/** In what way a server over stdio is odd. */
export interface StdioOddity {
  /** Answers nothing at all. */
  readonly mute?: boolean
  /** Leaves (exit 1) when it gets `server/discover`. */
  readonly diesOnProbe?: boolean
  /** Does not answer `server/discover`. */
  readonly silentOnProbe?: boolean
  /** Speaks 2026-07-28 only. */
  readonly modern?: boolean
  /** Reads nothing for so many milliseconds after its start. */
  readonly startMs?: number
  readonly neverLists?: boolean
  /** Adds to the capabilities the server declares beside `tools`. */
  readonly capabilities?: object
  /** Title in `serverInfo`. */
  readonly title?: string
  /** Answers `tools/list` after so many milliseconds. */
  readonly listMs?: number
  /** Lines on standard output before anything else. */
  readonly noise?: readonly string[]
  /** Lists one tool a page: so many pages, pages without end, or the same page with the same cursor for ever. */
  readonly pages?: number | 'endless' | 'same'
  /** Bytes written to the error output, blocking, before anything is answered. */
  readonly stderrBytes?: number
  readonly stderr?: string
  /** Lines of 20 bytes written to the error output, blocking, before anything is answered. */
  readonly stderrLines?: number
  /** Exits with this code before it reads anything. */
  readonly exitAtOnce?: number
  /** Ignores SIGTERM and the end of its input. */
  readonly ignoreTerm?: boolean
  /** Starts a process of its own that ignores SIGTERM. */
  readonly grandchild?: boolean
  readonly tools?: readonly unknown[]
}

/**
 * Command and arguments of a server with an oddity. Its tools: `echo {text}`, `arguments`, `environment`, `big {bytes}`,
 * `sleep {ms, progressMs?}`, `crash`, `bytes {bytes: number[]}` (raw bytes inside a text), `grow {notices?}`, `lists` (how
 * many list requests came), `pid`, `odd-blocks`, `ask` (asks back for input).
 */
export function oddStdio(odd: StdioOddity = {}, args: readonly string[] = []): { command: string; args: string[] } {
  return { command: nodeBinary, args: [program, JSON.stringify(odd), ...args] }
}
