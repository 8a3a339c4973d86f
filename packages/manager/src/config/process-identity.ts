import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'

/** Says which process it was, even after its number has been given to another. */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  /** When the process started, in the system's own terms; absent where it cannot be told. */
  readonly started?: string
}

function output(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: 5_000, windowsHide: true }, (error, stdout) => {
      resolve(error === null && stdout.trim() !== '' ? stdout.trim() : undefined)
    })
  })
}

async function linuxStart(pid: number): Promise<string | undefined> {
  const [stat, boot] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
  ])
  // proc(5): the command stands in parentheses and may hold blanks; state is field 3, start time field 22.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0]
  if (state === 'Z' || state === 'X') return undefined
  return `${boot.trim()}/${fields[19]}`
}

/** Start time of a process, or nothing when it is gone or cannot be told. */
async function startOf(pid: number): Promise<string | undefined> {
  switch (process.platform) {
    case 'linux':
      return linuxStart(pid).catch(() => undefined)
    case 'win32':
      return output('powershell.exe', [
        '-NoProfile',
        '-NonInteractive',
        '-Command',
        `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().Ticks`,
      ])
    default:
      return output('ps', ['-o', 'lstart=', '-p', String(pid)])
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

let own: Promise<ProcessIdentity> | undefined

/** Identity of this process. */
export function thisProcess(): Promise<ProcessIdentity> {
  own ??= startOf(process.pid).then((started) => ({
    pid: process.pid,
    host: hostname(),
    ...(started !== undefined && { started }),
  }))
  return own
}

/** Whether a process has surely ended. In doubt (another machine, no start time to compare) it has not. */
export async function isGone(identity: ProcessIdentity): Promise<boolean> {
  if (identity.host !== hostname()) return false
  if (!exists(identity.pid)) return true
  if (identity.started === undefined) return false
  const started = await startOf(identity.pid)
  if (started === undefined) return process.platform === 'linux' || !exists(identity.pid)
  return started !== identity.started
}
