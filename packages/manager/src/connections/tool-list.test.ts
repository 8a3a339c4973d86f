import { expect, test } from 'vitest'
import { joinTools, readTools } from './tool-list.ts'

test('a bad tool is put aside alone', () => {
  const good = {
    name: 'good',
    description: 'd',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
    x: 1,
  }
  const { tools, quarantined, forEngine } = readTools([
    { name: 'null', inputSchema: null },
    { name: 'list', inputSchema: [] },
    { name: '', inputSchema: {} },
    { inputSchema: {} },
    7,
    { name: 'none' },
    { name: 'empty', inputSchema: {} },
    { name: 'string', inputSchema: { type: 'string' }, outputSchema: { $ref: '#/nowhere' } },
    good,
  ])
  expect(tools.map((tool) => tool.name)).toEqual(['none', 'empty', 'string', 'good'])
  expect(tools[2]).toEqual({ name: 'string', inputSchema: { type: 'string' }, outputSchema: { $ref: '#/nowhere' } })
  expect(tools[3]).toEqual({
    name: 'good',
    description: 'd',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  })
  expect(quarantined).toEqual([
    { name: 'null', reason: 'its inputSchema is null, not a JSON Schema object' },
    { name: 'list', reason: 'its inputSchema is a list, not a JSON Schema object' },
    { name: '#3', reason: 'the tool has no name' },
    { name: '#4', reason: 'the tool has no name' },
    { name: '#5', reason: 'the entry is no object' },
  ])
  expect(forEngine.every((tool) => (tool.inputSchema as { type: string }).type === 'object')).toBe(true)
})

test('of two tools with one name the first stays', () => {
  const page = readTools([{ name: 'a', description: '1', inputSchema: {} }])
  const next = readTools([{ name: 'a', description: '2', inputSchema: {} }])
  expect(joinTools([page, next])).toEqual({
    tools: [{ name: 'a', description: '1', inputSchema: {} }],
    quarantined: [{ name: 'a', reason: 'the server lists this name more than once' }],
    taskOnly: [],
  })
})

test.each([undefined, null, {}, 'tools'])('%j is an empty list', (raw) => {
  expect(readTools(raw)).toEqual({ tools: [], quarantined: [], forEngine: [], taskOnly: [] })
})

function nested(levels: number): Record<string, unknown> {
  let schema: Record<string, unknown> = { type: 'string' }
  for (let level = 0; level < levels; level++) schema = { type: 'object', properties: { n: schema } }
  return schema
}

test('a schema no reader gets through is put aside alone, 200 levels are read', () => {
  const { tools, quarantined } = readTools([
    { name: 'deep', inputSchema: nested(20_000) },
    { name: 'fine', inputSchema: nested(200) },
    { name: 'output', inputSchema: {}, outputSchema: nested(20_000), annotations: nested(20_000) },
  ])
  expect(tools.map((tool) => tool.name)).toEqual(['fine', 'output'])
  expect(tools[1]).toEqual({ name: 'output', inputSchema: {} })
  expect(quarantined).toEqual([{ name: 'deep', reason: 'its inputSchema is nested deeper than 600 levels' }])
})

test('the engine gets whole schemas only where it has headers to find', () => {
  const marked = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } }
  const { forEngine } = readTools([
    { name: 'plain', inputSchema: nested(3) },
    { name: 'marked', inputSchema: marked },
  ])
  expect(forEngine).toEqual([
    { name: 'plain', inputSchema: { type: 'object' } },
    { name: 'marked', inputSchema: marked },
  ])
})
