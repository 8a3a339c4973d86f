import type { ToolRegistry } from '@dsh-mcp/host'
import { hostToolRegistry } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { offerTools, type OfferedTools } from './offered-tools.ts'
import { publicToolName } from './names.ts'
import { scriptedServers, tool, type ScriptedServers } from './test-connections.ts'

interface Bench {
  readonly servers: ScriptedServers
  readonly registry: ToolRegistry
  readonly offered: OfferedTools
  readonly reports: string[]
  /** As the host's event `tools/change` does. */
  readonly tellChange: () => void
}

async function bench(): Promise<Bench> {
  const servers = scriptedServers()
  const registry = await hostToolRegistry<ToolRegistry>()
  const reports: string[] = []
  const changed = new Set<() => void>()
  const offered = offerTools({
    connections: servers.connections,
    registry: {
      register: (definition) => {
        const unregister = registry.register(definition)
        for (const listener of changed) listener()
        return unregister
      },
      get: (name, agent) => registry.get(name, agent),
      schemas: (agent) => registry.schemas(agent),
    },
    service: () => undefined,
    onRegistryChange: (listener) => {
      changed.add(listener)
      return () => void changed.delete(listener)
    },
    report: (message) => void reports.push(message),
  })
  const tellChange = (): void => {
    for (const listener of changed) listener()
  }
  return { servers, registry, offered, reports, tellChange }
}

const namesIn = (registry: ToolRegistry): string[] => registry.schemas().map((schema) => schema.name)

const call = (registry: ToolRegistry, name: string, args: unknown = {}): ReturnType<ToolRegistry['execute']> =>
  registry.execute({ callId: 'call', name, arguments: args, signal: new AbortController().signal })

test('tools of a server appear under their public names and can be called through the host pipeline', async () => {
  const { servers, registry } = await bench()
  const server = servers.add('demo')
  server.answer = (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] })
  server.list([tool('echo'), tool('a.b')])
  expect(namesIn(registry)).toEqual(['mcp__demo__echo', publicToolName('demo', 'a.b')])
  const outcome = await call(registry, publicToolName('demo', 'a.b'), { q: 'x' })
  expect(outcome).toMatchObject({
    isError: false,
    content: [{ type: 'text', text: 'a.b {"q":"x"}' }],
    value: { text: 'a.b {"q":"x"}', isError: false },
  })
  const definition = registry.get('mcp__demo__echo')
  expect(definition).toMatchObject({
    description: 'Does echo [demo MCP]',
    mcpServerName: 'demo',
    mcpRawName: 'echo',
    parameters: { type: 'object', properties: { q: { type: 'string' } } },
  })
})

test('a changed list touches only what changed', async () => {
  const { servers, registry } = await bench()
  const server = servers.add('demo')
  const names = Array.from({ length: 50 }, (_, index) => `t${index}`)
  server.list(names.map((name) => tool(name)))
  const before = new Map(names.map((name) => [name, registry.get(`mcp__demo__${name}`)]))
  const next = names.filter((name) => name !== 't1').map((name) => tool(name))
  next[0] = tool('t0', { inputSchema: { type: 'object', properties: { q: { type: 'number' } } } })
  server.list([...next, tool('new')])
  expect(registry.get('mcp__demo__t1')).toBeUndefined()
  expect(registry.get('mcp__demo__new')).toBeDefined()
  expect(registry.get('mcp__demo__t0')).not.toBe(before.get('t0'))
  for (const name of names.slice(2)) expect(registry.get(`mcp__demo__${name}`)).toBe(before.get(name))
})

test('a name that becomes free is taken without waiting for the server', async () => {
  const { servers, registry, offered, tellChange } = await bench()
  const release = registry.register({
    name: 'mcp__demo__echo',
    description: 'foreign',
    parameters: { type: 'object' },
    output: { schema: {}, render: () => [] },
    execute: async () => null,
  })
  servers.add('demo').list([tool('echo')])
  expect(offered.conflicts.size).toBe(1)
  const told: string[] = []
  offered.subscribe((id) => void told.push(id))
  release()
  tellChange()
  await Promise.resolve()
  expect(offered.conflicts.size).toBe(0)
  expect(offered.find('mcp__demo__echo')?.rawName).toBe('echo')
  expect(told).toEqual(['id-demo'])
})

test('a name somebody else holds is reported once, the rest is registered, and it comes when it is free', async () => {
  const { servers, registry, offered, reports } = await bench()
  const release = registry.register({
    name: 'mcp__demo__echo',
    description: 'foreign',
    parameters: { type: 'object' },
    output: { schema: {}, render: () => [] },
    execute: async () => null,
  })
  const server = servers.add('demo')
  server.list([tool('echo'), tool('other')])
  server.list([tool('echo'), tool('other'), tool('third')])
  expect(reports).toEqual([expect.stringContaining('mcp__demo__echo')])
  expect([...offered.conflicts.keys()]).toEqual(['mcp__demo__echo'])
  expect(offered.visible().map((entry) => entry.rawName)).toEqual(['other', 'third'])
  expect(offered.find('mcp__demo__echo')).toBeUndefined()
  release()
  server.list([tool('echo'), tool('other')])
  expect(offered.conflicts.size).toBe(0)
  expect(offered.find('mcp__demo__echo')?.rawName).toBe('echo')
})

test('two servers whose names run together keep both tools', async () => {
  const { servers, registry } = await bench()
  servers.add('a').list([tool('b__c')])
  servers.add('a__b').list([tool('c')])
  expect(namesIn(registry)).toEqual(['mcp__a__b__c', expect.stringMatching(/^mcp__a__b__c_[0-9a-f]{12}$/)])
})

test('a tool that is switched off is registered nowhere, by whichever of its names it was switched off', async () => {
  const { servers, registry, offered } = await bench()
  const server = servers.add('demo')
  server.list([tool('a.b'), tool('c')])
  server.edit({ disabledTools: ['mcp__demo__a_b'] })
  expect(namesIn(registry)).toEqual(['mcp__demo__c'])
  expect(await call(registry, publicToolName('demo', 'a.b'))).toMatchObject({ isError: true })
  const view = offered.catalog.of('id-demo')
  expect(view.entries.filter((entry) => view.disabled.has(entry)).map((entry) => entry.rawName)).toEqual(['a.b'])
  server.edit({})
  expect(namesIn(registry)).toHaveLength(2)
})

test('a tool that cannot be projected is set aside alone, with the reason', async () => {
  const { servers, registry, offered } = await bench()
  const server = servers.add('demo')
  server.list([tool('bad', { inputSchema: null }), tool('good'), tool('good')], [{ name: 'worse', reason: 'no name' }])
  expect(namesIn(registry)).toEqual(['mcp__demo__good'])
  expect(offered.catalog.of('id-demo').quarantined).toEqual([
    { name: 'worse', reason: 'no name' },
    { name: 'good', reason: 'listed twice; the first one is used' },
    { name: 'bad', reason: 'inputSchema is missing' },
  ])
})

test('servers of a workspace reach only the layers that ask for them', async () => {
  const { servers, registry, offered } = await bench()
  const agentLayer = await hostToolRegistry<ToolRegistry>()
  const server = servers.add('local', { workspace: '/w' })
  server.list([tool('echo')])
  expect(namesIn(registry)).toEqual([])
  const layer = offered.addLayer(agentLayer, (id) => id === 'id-local')
  expect(namesIn(agentLayer)).toEqual(['mcp__local__echo'])
  server.list([tool('echo'), tool('more')])
  expect(namesIn(agentLayer)).toHaveLength(2)
  layer.dispose()
  expect(namesIn(agentLayer)).toEqual([])
})

test('deferring marks every registration and unmarking restores the very same objects', async () => {
  const { servers, registry, offered } = await bench()
  const server = servers.add('demo')
  server.answer = () => ({ content: [{ type: 'text', text: 'hi' }] })
  server.list([tool('echo')])
  const plain = registry.get('mcp__demo__echo')
  offered.deferLoading(true)
  expect(registry.get('mcp__demo__echo')?.deferLoading).toBe(true)
  expect(offered.find('mcp__demo__echo')?.rawName).toBe('echo')
  expect(await call(registry, 'mcp__demo__echo')).toMatchObject({ isError: false })
  offered.deferLoading(false)
  expect(registry.get('mcp__demo__echo')).toBe(plain)
})

test('a server that goes takes its tools along, and closing takes all', async () => {
  const { servers, registry, offered } = await bench()
  const one = servers.add('one')
  one.list([tool('a')])
  servers.add('two').list([tool('b')])
  servers.remove(one)
  expect(namesIn(registry)).toEqual(['mcp__two__b'])
  offered.close()
  expect(namesIn(registry)).toEqual([])
})
