import { expect, test } from 'vitest'
import { createAttemptLog, createAttemptLogs } from './attempt-log.ts'

test('keeps the newest twenty, oldest first, with times', () => {
  let time = 100
  const log = createAttemptLog(() => time++)
  for (let index = 0; index < 25; index++) log.record({ phase: 'initialize', status: index })
  expect(log.entries()).toHaveLength(20)
  expect(log.entries()[0]).toEqual({ at: 105, phase: 'initialize', url: '', status: 5, detail: '' })
  expect(log.entries().at(-1)?.status).toBe(24)
})

test('redacts when it writes and cuts at 500 characters', () => {
  const log = createAttemptLog()
  log.addSecret('hunter2-hunter2')
  log.record({
    phase: 'refresh',
    url: 'https://as.example/token?code=abc',
    detail: `said hunter2-hunter2 ${'x'.repeat(900)}`,
  })
  const entry = log.entries()[0]!
  expect(entry.url).toBe('https://as.example/token?code=[redacted]')
  expect(entry.detail).not.toContain('hunter2')
  expect(entry.detail).toHaveLength(500)
})

test('what steers a terminal is written out', () => {
  const log = createAttemptLog()
  log.record({ phase: 'stdio-exit', url: 'http://x/\u001b[2J', detail: 'ended\u001b]0;owned\u0007\u202e' })
  expect(log.entries()[0]).toMatchObject({
    url: String.raw`http://x/\u{1b}[2J`,
    detail: String.raw`ended\u{1b}]0;owned\u{7}\u{202e}`,
  })
})

test('a cut never leaves half a secret', () => {
  const log = createAttemptLog()
  const secret = 'S3cr3t'.repeat(20)
  log.addSecret(secret)
  log.record({ phase: 'initialize', detail: `${'x'.repeat(450)} ${secret}` })
  expect(log.entries()[0]!.detail).not.toContain('S3cr3t')
})

test('each server has its own log; a deleted one starts anew', () => {
  const logs = createAttemptLogs()
  logs.of('a').record({ phase: 'stdio-spawn' })
  expect(logs.of('a').entries()).toHaveLength(1)
  expect(logs.of('b').entries()).toHaveLength(0)
  logs.forget('a')
  expect(logs.of('a').entries()).toHaveLength(0)
})
