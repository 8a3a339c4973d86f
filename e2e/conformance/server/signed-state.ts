import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ProtocolError } from '../../../packages/server/src/gateway/index.ts'
import type { CallContext, JsonObject } from '../../../packages/server/src/gateway/index.ts'

const key = randomBytes(32)
const lifetimeMs = 60_000

/**
 * `requestState` of a multi round-trip request (MCP 2026-07-28, Multi round-trip requests): signed, and bound to the tool
 * and to one minute.
 */
export function signState(tool: string, state: JsonObject): string {
  const payload = Buffer.from(JSON.stringify({ tool, state, expires: Date.now() + lifetimeMs })).toString('base64url')
  return `${payload}.${seal(payload).toString('base64url')}`
}

/** Reads what `signState` made. Undefined without one; a protocol error when it is not ours, not for this tool or too old. */
export function readState(tool: string, { exchange }: CallContext): JsonObject | undefined {
  const { requestState } = exchange.retry
  if (requestState === undefined) return undefined
  const [payload = '', signature = ''] = requestState.split('.')
  const expected = seal(payload)
  const presented = Buffer.from(signature, 'base64url')
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) throw refused()
  const content = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    readonly tool: string
    readonly state: JsonObject
    readonly expires: number
  }
  if (content.tool !== tool || content.expires < Date.now()) throw refused()
  return content.state
}

function seal(payload: string): Buffer {
  return createHmac('sha256', key).update(payload).digest()
}

function refused(): ProtocolError {
  return new ProtocolError('invalid-params', 'requestState failed its integrity check')
}
