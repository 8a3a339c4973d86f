import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path'

/** What will be started. */
export interface CommandLine {
  readonly command: string
  readonly args: readonly string[]
}

/** Where commands are looked for. */
export interface CommandPlace {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform?: NodeJS.Platform
}

function variable(place: CommandPlace, name: string): string | undefined {
  if (place.platform !== 'win32') return place.env[name]
  const found = Object.keys(place.env).find((key) => key.toUpperCase() === name)
  return found === undefined ? undefined : place.env[found]
}

function isFile(path: string, windows: boolean): boolean {
  try {
    if (!statSync(path).isFile()) return false
    if (!windows) accessSync(path, constants.X_OK)
    return true
  } catch {
    // Not there or not for us: not a command.
    return false
  }
}

/** The file a command names, as the system would find it; nothing when there is none. */
export function findCommand(command: string, place: CommandPlace): string | undefined {
  const windows = (place.platform ?? process.platform) === 'win32'
  const separator = windows ? ';' : delimiter
  const extensions = windows ? ['', ...(variable(place, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';')] : ['']
  const hasFolder = command.includes('/') || command.includes(sep) || (windows && command.includes('\\'))
  const folders = hasFolder
    ? [isAbsolute(command) ? '' : place.cwd]
    : [...(windows ? [place.cwd] : []), ...(variable(place, 'PATH') ?? '').split(separator)]
  for (const folder of folders) {
    for (const extension of extensions) {
      const path =
        folder === '' && hasFolder ? command + extension : resolve(place.cwd, join(folder, command + extension))
      if (isFile(path, windows)) return path
    }
  }
  return undefined
}

/** Splits a typed line at blanks; single and double quotes keep blanks and are taken off. A backslash means itself. */
export function splitCommandLine(line: string): string[] {
  const words: string[] = []
  for (const match of line.matchAll(/(?:[^\s"']+|"[^"]*"?|'[^']*'?)+/g)) {
    words.push(
      match[0].replace(/"([^"]*)"?|'([^']*)'?/g, (_, double?: string, single?: string) => double ?? single ?? ''),
    )
  }
  return words
}

/**
 * What a stored command means. `args` are passed on as they are. A command with blanks that names no file is read as a
 * typed line (as old files hold them): the first word is the program, the others come before `args`.
 */
export function readCommandLine(command: string, args: readonly string[], place: CommandPlace): CommandLine {
  if (!/\s/.test(command) || findCommand(command, place) !== undefined) return { command, args }
  const [program, ...rest] = splitCommandLine(command)
  return program === undefined ? { command, args } : { command: program, args: [...rest, ...args] }
}

/** Says where a missing command was looked for, and what helps. */
export function notFoundMessage(command: string, place: CommandPlace): string {
  if (command.includes('/') || command.includes('\\')) {
    return `the program ${command} does not exist or may not be run; check the path (relative to ${place.cwd})`
  }
  const path = variable(place, 'PATH') ?? ''
  return (
    `the program "${command}" was not found: give its full path, or set PATH in the env of this server; ` +
    `searched PATH: ${path === '' ? '(empty)' : path}`
  )
}
