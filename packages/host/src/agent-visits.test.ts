import { expect, test } from 'vitest'
import { visitAgents } from './agent-visits.ts'
import type { VisitedAgent } from './agent-visits.ts'

type Setup = (...args: unknown[]) => unknown
type Listener = (payload: { agent: unknown }) => unknown

/** The registry's shapes over the host's versions, as far as setup is concerned. */
type Shape = 'accessor' | 'second argument' | 'event only'

class Registry {
  readonly live: VisitedAgent[] = []
  readonly listeners = new Map<string, Listener[]>()
  readonly shape: Shape

  constructor(shape: Shape) {
    this.shape = shape
  }

  list(): readonly VisitedAgent[] {
    return this.live
  }

  emit(event: string, agent: VisitedAgent): void {
    for (const listener of this.listeners.get(event) ?? []) listener({ agent })
  }

  async create(options: { sessionId: string; setup?: Setup }): Promise<VisitedAgent> {
    const agent: VisitedAgent = { id: options.sessionId, session: { header: { cwd: '/w' } } }
    const accessor = {
      get agent() {
        return agent
      },
    }
    const throwing = {
      get agent(): never {
        throw new Error('cannot get property "agent" without inject')
      },
    }
    const args = { accessor: [accessor], 'second argument': [throwing, agent], 'event only': [throwing] }[this.shape]
    const commit = await options.setup?.(...args)
    if (typeof commit === 'function') (commit as () => void)()
    this.live.push(agent)
    this.emit('agent/created', agent)
    return agent
  }

  resume(options: { sessionId: string; setup?: Setup }): Promise<VisitedAgent> {
    return this.create(options)
  }
}

function hostWith(shape: Shape) {
  const registry = new Registry(shape)
  const ctx = {
    agents: registry,
    on(event: string, listener: Listener) {
      registry.listeners.set(event, [...(registry.listeners.get(event) ?? []), listener])
    },
  }
  return { registry, ctx }
}

test.each<Shape>(['accessor', 'second argument', 'event only'])('each agent arrives once: %s', async (shape) => {
  const { registry, ctx } = hostWith(shape)
  await registry.create({ sessionId: 'before' })
  const seen: string[] = []
  const errors: unknown[] = []
  const end = visitAgents(ctx, {
    arrive: (agent) => void seen.push(agent.id),
    leave: (agent) => void seen.push(`-${agent.id}`),
    report: (error) => errors.push(error),
  })
  let committed = false
  const agent = await registry.create({ sessionId: 'created', setup: () => () => (committed = true) })
  await registry.resume({ sessionId: 'resumed' })
  registry.emit('agent/disposed', agent)
  registry.emit('agent/disposed', agent)
  expect(seen).toEqual(['before', 'created', 'resumed', '-created'])
  expect(committed).toBe(true)
  end()
  await registry.create({ sessionId: 'after' })
  expect(seen).toHaveLength(4)
  expect(errors).toEqual([])
  expect(Object.hasOwn(registry, 'create')).toBe(false)
})

test('a failure of ours never fails a session, the failure of the caller does', async () => {
  const { registry, ctx } = hostWith('accessor')
  const errors: unknown[] = []
  visitAgents(ctx, {
    arrive: () => Promise.reject(new Error('ours')),
    leave: () => {
      throw new Error('ours too')
    },
    report: (error) => errors.push(String(error)),
  })
  const agent = await registry.create({ sessionId: 'a' })
  registry.emit('agent/disposed', agent)
  expect(errors).toEqual(['Error: ours', 'Error: ours too'])
  const theirs = () => Promise.reject(new Error('theirs'))
  await expect(registry.create({ sessionId: 'b', setup: theirs })).rejects.toThrow('theirs')
})

test('what an arrival waits for delays the session', async () => {
  const { registry, ctx } = hostWith('accessor')
  const { promise, resolve } = Promise.withResolvers<void>()
  visitAgents(ctx, { arrive: () => promise, report: () => {} })
  let ready = false
  const creating = registry.create({ sessionId: 'a' }).then(() => (ready = true))
  await new Promise((next) => setImmediate(next))
  expect(ready).toBe(false)
  resolve()
  await creating
})

test('ending the visits keeps a decoration that came after', async () => {
  const { registry, ctx } = hostWith('accessor')
  const seen: string[] = []
  const endFirst = visitAgents(ctx, { arrive: (agent) => void seen.push(`1${agent.id}`), report: () => {} })
  const endSecond = visitAgents(ctx, { arrive: (agent) => void seen.push(`2${agent.id}`), report: () => {} })
  endFirst()
  await registry.create({ sessionId: 'a' })
  expect(seen).toEqual(['2a'])
  endSecond()
  await registry.create({ sessionId: 'b' })
  expect(seen).toEqual(['2a'])
})
