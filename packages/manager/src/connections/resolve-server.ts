import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { expandReferences } from '../config/index.ts'
import type { HttpServer, StdioServer } from '../config/index.ts'
import type { AttemptLog } from '../diagnostics/index.ts'
import { childEnvironment, isSecretName } from './stdio/child-environment.ts'
import { readCommandLine } from './stdio/command-line.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** A stdio server with every reference replaced. */
export interface ResolvedStdio {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Names of inherited variables that were not passed on. */
  readonly scrubbed: readonly string[]
}

/** An HTTP server with every reference replaced. */
export interface ResolvedHttp {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
}

const secretHeader = /auth|cookie|key|token|secret|password/i

function expander(environment: Environment, log: AttemptLog): (field: string, text: string) => string {
  return (field, text) => {
    const { value, missing } = expandReferences(text, environment)
    if (missing.length > 0) {
      const name = missing[0]!
      throw new Error(
        `${field}: the environment variable ${name} is not set; set it before DSH starts, or give a default: \${${name}:-…}`,
      )
    }
    if (value !== text) {
      for (const [, name] of text.matchAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)/g)) {
        if (name !== undefined && isSecretName(name)) log.addSecret(environment[name])
      }
    }
    return value
  }
}

/**
 * Replaces `${NAME}` in command, args, env and cwd, and makes the child's environment. Nothing of it is stored.
 * @throws {Error} naming the field and the variable that is not set.
 */
export function resolveStdio(server: StdioServer, environment: Environment, log: AttemptLog): ResolvedStdio {
  const expand = expander(environment, log)
  const declared: Record<string, string> = {}
  for (const [name, text] of Object.entries(server.env)) {
    declared[name] = expand(`env.${name}`, text)
    if (isSecretName(name)) log.addSecret(declared[name])
  }
  const { env, scrubbed } = childEnvironment(environment, declared)
  const folder = server.cwd === undefined ? process.cwd() : expand('cwd', server.cwd)
  const cwd = resolve(folder.replace(/^~(?=$|[/\\])/, homedir()))
  const command = expand('command', server.command)
  const args = server.args.map((text, index) => expand(`args[${index}]`, text))
  return { ...readCommandLine(command, args, { env, cwd, platform: process.platform }), env, cwd, scrubbed }
}

/**
 * Replaces `${NAME}` in url and headers, and reads the headers named by environment variable.
 * @throws {Error} naming the field and what is wrong with it.
 */
export function resolveHttp(server: HttpServer, environment: Environment, log: AttemptLog): ResolvedHttp {
  const expand = expander(environment, log)
  const text = expand('url', server.url)
  let url: URL
  try {
    url = new URL(text)
  } catch (error) {
    throw new Error(`url: ${log.redact(text)} is no valid address`, { cause: error })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new Error('url: must begin with http:// or https://')
  const headers = new Headers()
  const add = (field: string, name: string, value: string): void => {
    try {
      headers.set(name, value)
    } catch (error) {
      throw new Error(`${field}: not a valid HTTP header`, { cause: error })
    }
  }
  if (url.username !== '' || url.password !== '') {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
    log.addSecret(decodeURIComponent(url.password))
    headers.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`)
    url.username = ''
    url.password = ''
  }
  for (const [name, raw] of Object.entries(server.headers)) {
    const value = expand(`headers.${name}`, raw)
    if (secretHeader.test(name)) log.addSecret(value.replace(/^(bearer|basic)\s+/i, ''))
    add(`headers.${name}`, name, value)
  }
  for (const [name, variable] of Object.entries(server.headerEnv)) {
    const value = environment[variable]
    if (value === undefined) throw new Error(`headerEnv.${name}: the environment variable ${variable} is not set`)
    log.addSecret(value.replace(/^(bearer|basic)\s+/i, ''))
    add(`headerEnv.${name}`, name, value)
  }
  return { url, headers: Object.fromEntries(headers) }
}
