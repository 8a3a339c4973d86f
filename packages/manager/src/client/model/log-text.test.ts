import { expect, test } from 'vitest'
import { logLine, reportText } from './log-text.ts'

const at = Date.UTC(2026, 7, 3, 4, 5, 6)

test('a line has time, phase, status, address and detail, and leaves out what is not there', () => {
  expect(logLine({ at, phase: 'discovery', status: 404, url: 'https://a/x', detail: 'not found' })).toBe(
    '[2026-08-03T04:05:06.000Z] discovery 404 https://a/x — not found',
  )
  expect(logLine({ at, phase: 'stdio-spawn', status: 0, url: '', detail: '' })).toBe(
    '[2026-08-03T04:05:06.000Z] stdio-spawn',
  )
})

test('a report begins with the server and its failure', () => {
  const server = {
    id: 'a',
    name: 'x',
    type: 'http',
    enabled: true,
    status: 'error',
    toolCount: 0,
    error: 'refused',
  } as const
  expect(reportText(server, [{ at, phase: 'initialize', status: 0, url: '', detail: 'ECONNREFUSED' }])).toBe(
    'MCP server "x" (http): error\nrefused\n[2026-08-03T04:05:06.000Z] initialize — ECONNREFUSED',
  )
})
