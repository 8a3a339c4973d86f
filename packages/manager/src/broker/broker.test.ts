import { describe, expect, test } from 'vitest'
import { tool } from '../tools/test-connections.ts'
import { mailBench } from './test-broker.ts'
import { HOST_SHAPES } from './test-host.ts'

const BROKER = ['mcp_describe_tool', 'mcp_execute_tool', 'mcp_search_tools']

describe.each(HOST_SHAPES)('on the shape of %s', (shape) => {
  test('off: agents see the MCP tools and no broker', async () => {
    const { request } = await mailBench(shape)
    expect(await request()).toEqual(['mcp__mail__list', 'mcp__mail__send'])
  })

  test('on: agents see the three tools and no MCP tool, from the next request on; off again, all come back', async () => {
    const { request, broker, servers, registry } = await mailBench(shape)
    broker.switchTo(true)
    expect(await request()).toEqual(BROKER)
    expect(await request({ id: 'agent' })).toEqual(BROKER)
    servers.add('late').list([tool('appear')])
    expect(await request()).toEqual(BROKER)
    expect(registry.get('mcp__late__appear')).toBeDefined()
    broker.switchTo(false)
    expect(await request()).toEqual(['mcp__late__appear', 'mcp__mail__list', 'mcp__mail__send'])
  })

  test('a hidden tool is refused when called directly or nested elsewhere, and runs through mcp_execute_tool', async () => {
    const { call, broker } = await mailBench(shape)
    broker.switchTo(true)
    const agent = { id: 'agent' }
    for (const options of [{}, { agent }, { agent, parent: Symbol('another execution') }]) {
      expect(await call('mcp__mail__send', { q: 'x' }, options)).toMatchObject({
        isError: true,
        error: { message: expect.stringContaining('mcp_execute_tool: {"name": "mcp__mail__send"') },
      })
    }
    const outcome = await call('mcp_execute_tool', { name: 'mcp__mail__send', arguments: { q: 'x' } }, { agent })
    expect(outcome).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'send {"q":"x"}' }],
      value: { content: [{ type: 'text', text: 'send {"q":"x"}' }] },
    })
    // the permission ends with the execution
    expect(await call('mcp__mail__send', {}, { agent })).toMatchObject({ isError: true })
    broker.switchTo(false)
    expect(await call('mcp__mail__send', {}, { agent })).toMatchObject({ isError: false })
  })

  test.each([
    ['run_code in the registry and in the prompt', { byRegistry: true, byPrompt: true }],
    ['run_code with a prompt that says nothing of it', { byRegistry: true, byPrompt: false }],
    ['a prompt for programs and a registry that hides run_code', { byRegistry: false, byPrompt: true }],
  ])('an agent with %s keeps its MCP tools', async (_case, told) => {
    const { request, call, broker, program } = await mailBench(shape)
    const agent = { id: 'programmer' }
    program(agent, told)
    broker.switchTo(true)
    const seen = await request(agent)
    // where only the flag hides, native schemas leave the request for everybody; what programs see is not made of them
    if (shape !== '0.2.2') expect(seen).toContain('mcp__mail__send')
    expect(await call('mcp__mail__send', {}, { agent, parent: Symbol('run_code') })).toMatchObject({ isError: false })
    expect(await request({ id: 'other' })).toEqual(BROKER)
    expect(await call('mcp__mail__send', {}, { agent: { id: 'other' }, parent: Symbol('run_code') })).toMatchObject({
      isError: true,
    })
  })

  test('another tool of the same name, and tools of others, stay in the request', async () => {
    const { request, broker, registry } = await mailBench(shape)
    registry.register({
      name: 'mcp__other__tool',
      description: 'Not ours',
      parameters: { type: 'object' },
      output: { schema: {}, render: () => [] },
      execute: () => Promise.resolve(null),
    })
    broker.switchTo(true)
    expect(await request()).toEqual([...BROKER, 'mcp__other__tool'].toSorted())
  })
})

test('flags the tools only on hosts that pass the flag on', async () => {
  for (const shape of HOST_SHAPES) {
    const { registry, broker, request } = await mailBench(shape)
    const before = registry.get('mcp__mail__send')
    broker.switchTo(true)
    const defers = shape !== '0.1.0' && shape !== '0.1.5'
    expect(registry.get('mcp__mail__send')?.deferLoading).toBe(defers ? true : undefined)
    expect(registry.get('mcp__mail__send') === before).toBe(!defers)
    broker.switchTo(false)
    expect(registry.get('mcp__mail__send')).toBe(before)
    expect(await request()).not.toContain('mcp_defer_loading_probe')
  }
})

test('a tool name that is taken leaves everything as it was, and says so', async () => {
  const { registry, broker, request, reports } = await mailBench()
  registry.register({
    name: 'mcp_execute_tool',
    description: 'Somebody else',
    parameters: { type: 'object' },
    output: { schema: {}, render: () => [] },
    execute: () => Promise.resolve(null),
  })
  broker.switchTo(true)
  expect(await request()).toEqual(['mcp__mail__list', 'mcp__mail__send', 'mcp_execute_tool'])
  expect(reports).toEqual([expect.stringContaining('MCP tools stay in every request: tool "mcp_execute_tool"')])
})
