import { readFileSync } from 'node:fs'
import type { EndpointSource } from './command-line.ts'

/** A place to send messages to. */
export interface Target {
  readonly url: string
  readonly token: string | undefined
  /** For error texts: where the address came from. */
  readonly origin: string
}

/** Why there is no place to send to: a sentence for the person who runs the client. */
export interface NoTarget {
  readonly problem: string
}

const startIt = 'Start the harness with `dsh web` and the @dsh-mcp/server plugin; this bridge then goes on by itself.'

/** Finds the endpoint as of now. Called before each message, so that a restarted harness is found again. */
export function findTarget(source: EndpointSource): Target | NoTarget {
  if (source.kind === 'url') {
    const token = source.token ?? readRecord(source.tokenFile)?.token
    return { url: source.url, token, origin: '--url' }
  }
  const record = readRecord(source.path)
  if (record === undefined) {
    return {
      problem:
        `No DeepSeek Harness is running here: there is no endpoint file at ${source.path}. ${startIt} ` +
        'If it runs with another home, set DSH_HOME or pass --endpoint FILE.',
    }
  }
  if (record.url === undefined || !URL.canParse(record.url)) {
    return { problem: `The endpoint file ${source.path} is damaged. Restart the harness, which writes it anew.` }
  }
  return { url: record.url, token: record.token, origin: source.path }
}

/** What to tell when nothing, or something else than the endpoint, answers at a target. */
export function unreachable(target: Target, reason: string): string {
  return `The DeepSeek Harness does not answer at ${target.url} (from ${target.origin}): ${reason}. ${startIt}`
}

/** What to tell when the connection ended after the message may have arrived. */
export function brokenOff(target: Target, reason: string): string {
  return (
    `The connection to the DeepSeek Harness at ${target.url} broke before the answer (${reason}): it was stopped or ` +
    'restarted. What was asked may have been done all the same: look before you ask again. ' +
    'This bridge goes on by itself when the harness runs.'
  )
}

export function tokenRefused(target: Target): string {
  return (
    `The DeepSeek Harness at ${target.url} refused the token (from ${target.origin}). ` +
    'If the plugin is configured with a token of its own, restart the harness so that the file has it; with --url, set DSH_MCP_TOKEN.'
  )
}

function readRecord(path: string): { readonly url?: string; readonly token?: string } | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // Absent or unreadable: the caller says where it looked.
    return undefined
  }
  try {
    const record: unknown = JSON.parse(text)
    if (typeof record !== 'object' || record === null) return {}
    const { url, token } = record as Record<string, unknown>
    return { ...(typeof url === 'string' && { url }), ...(typeof token === 'string' && { token }) }
  } catch {
    // Present, but no JSON: the caller says so.
    return {}
  }
}
