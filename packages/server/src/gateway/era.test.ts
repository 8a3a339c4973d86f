import { describe, expect, test } from 'vitest'
import { chooseEra } from './era.ts'
import type { JsonObject } from './json.ts'

const version = 'io.modelcontextprotocol/protocolVersion'
const capabilities = 'io.modelcontextprotocol/clientCapabilities'
const envelope = { [version]: '2026-07-28', [capabilities]: {} }

function verdict(method: string, meta: JsonObject | undefined, header: string | null | undefined): string {
  const headers =
    header === null ? undefined : { get: (name: string) => (name === 'mcp-protocol-version' ? header : undefined) }
  const choice = chooseEra(method, meta === undefined ? {} : { _meta: meta }, headers)
  return choice.era === 'refused' ? `${choice.refusal.status} ${choice.refusal.code}` : choice.era
}

describe('a dual-era endpoint chooses per request', () => {
  test.each([
    // Legacy openings and followers, with and without the header that 2025-06-18 introduced.
    ['initialize', undefined, undefined, 'legacy'],
    ['initialize', undefined, '2025-11-25', 'legacy'],
    ['initialize', undefined, '2026-07-28', 'legacy'],
    ['initialize', undefined, 'nonsense', 'legacy'],
    ['tools/list', undefined, undefined, 'legacy'],
    ['tools/list', { progressToken: 1 }, '2025-06-18', 'legacy'],
    ['tools/list', { [capabilities]: {} }, undefined, 'legacy'],
    ['tools/list', undefined, '2024-10-07', 'legacy'],
    ['tools/list', undefined, 'nonsense', '400 -32600'],
    ['tools/list', undefined, null, 'legacy'],
    // Modern requests.
    ['tools/list', envelope, '2026-07-28', '2026-07-28'],
    ['tools/list', envelope, null, '2026-07-28'],
    ['initialize', envelope, '2026-07-28', '2026-07-28'],
    ['ping', envelope, '2026-07-28', '2026-07-28'],
    // Malformed modern requests are not legacy ones.
    ['tools/list', undefined, '2026-07-28', '400 -32602'],
    ['tools/list', { [capabilities]: {} }, '2026-07-28', '400 -32602'],
    ['tools/list', { [version]: '2026-07-28' }, '2026-07-28', '400 -32602'],
    ['tools/list', { [version]: '2026-07-28', [capabilities]: [] }, '2026-07-28', '400 -32602'],
    ['tools/list', { [version]: 7, [capabilities]: {} }, '2026-07-28', '400 -32602'],
    ['tools/list', envelope, undefined, '400 -32020'],
    ['tools/list', envelope, '2025-11-25', '400 -32020'],
    ['tools/list', { ...envelope, [version]: '1900-01-01' }, '2026-07-28', '400 -32020'],
    ['tools/list', { ...envelope, [version]: '1900-01-01' }, '1900-01-01', '400 -32022'],
    ['tools/list', { ...envelope, [version]: '2025-11-25' }, '2025-11-25', '400 -32022'],
    ['initialize', { [version]: '1900-01-01' }, '1900-01-01', '400 -32022'],
  ])('%s with _meta %j and header %j: %s', (method, meta, header, expected) => {
    expect(verdict(method, meta, header)).toBe(expected)
  })

  test('an unserved version learns the served one', () => {
    const choice = chooseEra('tools/list', { _meta: { ...envelope, [version]: '1900-01-01' } }, undefined)
    expect(choice).toMatchObject({ refusal: { data: { supported: ['2026-07-28'], requested: '1900-01-01' } } })
  })
})
