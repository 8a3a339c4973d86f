import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * The home of the harness: `$DSH_HOME` unless it is blank, else `~/.dsh`; a leading `~` is expanded. The same rule as the
 * host's own (observed on DSH 0.1.0-rc.8).
 */
export function dshHome(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const configured = env.DSH_HOME
  const path = configured === undefined || configured.trim() === '' ? join(homedir(), '.dsh') : configured
  return resolve(expandTilde(path))
}

function expandTilde(path: string): string {
  if (path === '~') return homedir()
  return path.startsWith('~/') || path.startsWith('~\\') ? join(homedir(), path.slice(2)) : path
}
