import { describe, expect, test } from 'vitest'
import { callsFromPrograms, onPromptAssembly, presentsToPrograms, projectsDeferLoading } from './prompt-assembly.ts'
import type { AssemblyContext, PromptAssembly } from './prompt-assembly.ts'
import type { ToolDefinition, ToolSchema } from './tool-runtime.ts'

type Waterfall = Parameters<AssemblyContext['on']>[1]

describe('onPromptAssembly', () => {
  function heard(off?: () => void) {
    const listeners: Waterfall[] = []
    const context: AssemblyContext = {
      on(_event, listener) {
        listeners.push(listener)
        return off
      },
    }
    const assemble = (about?: { agent?: object; scope?: object }) =>
      listeners[0]!({ tools: [] }, about, () => Promise.resolve({ sections: [{ name: 'later', text: 'x' }] }))
    return { context, assemble }
  }

  test('speaks after the others, and knows the agent by either name', async () => {
    const { context, assemble } = heard()
    const agents: (object | undefined)[] = []
    onPromptAssembly(context, (assembly, agent) => {
      agents.push(agent)
      return { ...assembly, tools: [] }
    })
    const agent = { id: 'a' }
    expect(await assemble({ agent })).toEqual({ sections: [{ name: 'later', text: 'x' }], tools: [] })
    await assemble({ scope: agent })
    await assemble()
    expect(agents).toEqual([agent, agent, undefined])
  })

  test('is silent once ended, also on a host that gives nothing to end it with', async () => {
    const { context, assemble } = heard()
    onPromptAssembly(context, () => ({ tools: [] }))()
    expect(await assemble()).toEqual({ sections: [{ name: 'later', text: 'x' }] })
    let ended = 0
    onPromptAssembly(heard(() => void ended++).context, (assembly) => assembly)()
    expect(ended).toBe(1)
  })
})

test.each<[string, PromptAssembly, boolean]>([
  ['run_code among the tools', { tools: [{ name: 'run_code', description: '', parameters: {} }] }, true],
  ['an SDK section', { sections: [{ name: 'tools:sdk', text: 'declare' }] }, true],
  ['the section of 0.1.0', { sections: [{ name: 'tools:code-only', text: 'only' }] }, true],
  ['the section of 0.1.5', { sections: [{ name: 'tools:ptc-only', text: 'only' }] }, true],
  ['empty sections, as in native mode', { sections: [{ name: 'tools:sdk', text: ' ' }], tools: [] }, false],
  ['nothing at all', {}, false],
])('presentsToPrograms: %s', (_case, assembly, expected) => expect(presentsToPrograms(assembly)).toBe(expected))

test('callsFromPrograms asks for run_code as the agent sees it', () => {
  const programmer = {}
  const registry = {
    get: (name: string, agent?: object) =>
      name === 'run_code' && agent === programmer ? ({ name } as ToolDefinition) : undefined,
  }
  expect([callsFromPrograms(registry, programmer), callsFromPrograms(registry, {})]).toEqual([true, false])
})

describe('projectsDeferLoading', () => {
  function registry(project: (definition: ToolDefinition) => ToolSchema) {
    const registered = new Set<ToolDefinition>()
    return {
      registered,
      register(definition: ToolDefinition) {
        registered.add(definition)
        return () => void registered.delete(definition)
      },
      schemas: () => [...registered].map(project),
    }
  }

  test('tells hosts that pass the flag on from those that drop it, and leaves nothing behind', () => {
    const passing = registry((definition) => ({ ...definition }))
    const dropping = registry(({ name, description, parameters }) => ({ name, description, parameters }))
    expect([projectsDeferLoading(passing), projectsDeferLoading(dropping)]).toEqual([true, false])
    expect([passing.registered.size, dropping.registered.size]).toEqual([0, 0])
  })

  test('does not know when the host refuses, or fails to list', () => {
    const refusing = { register: () => assertNever(), schemas: () => [] }
    const failing = registry(() => assertNever())
    expect([projectsDeferLoading(refusing), projectsDeferLoading(failing)]).toEqual([undefined, undefined])
    expect(failing.registered.size).toBe(0)
  })
})

function assertNever(): never {
  throw new Error('refused')
}
