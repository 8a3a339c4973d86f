import { expect, test } from 'vitest'
import { createEraMemory } from './era-memory.ts'
import { define } from './test-scene.ts'

const hour = 3_600_000
const server = define('s', { type: 'stdio', command: 'x' })

test('an old verdict lives an hour, a new one a day', () => {
  let now = 0
  const memory = createEraMemory(() => now)
  memory.keep(server, { transport: 'stdio', prior: { kind: 'legacy' } })
  now = hour - 1
  expect(memory.recall(server)).toEqual({ transport: 'stdio', prior: { kind: 'legacy' } })
  now = hour
  expect(memory.recall(server)).toBeUndefined()
  const discover = { supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' } as const
  memory.keep(server, {
    transport: 'stdio',
    prior: { kind: 'modern', discover: { ...discover, supportedVersions: ['2026-07-28'] } },
  })
  now += 24 * hour - 1
  expect(memory.recall(server)).toBeDefined()
  now += 1
  expect(memory.recall(server)).toBeUndefined()
})

test('belongs to a configuration: an edit forgets it, a login does not', () => {
  const memory = createEraMemory()
  memory.keep(server, { transport: 'http-sse' })
  expect(memory.recall(define('s', { type: 'stdio', command: 'x', oauth: { tokens: {} } }))).toBeDefined()
  expect(memory.recall(define('s', { type: 'stdio', command: 'y' }))).toBeUndefined()
  memory.forget(server)
  expect(memory.recall(server)).toBeUndefined()
})
