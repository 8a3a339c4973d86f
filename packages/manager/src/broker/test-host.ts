import type {
  AssemblyContext,
  ExecutionContext,
  PromptAssembly,
  ToolDefinition,
  ToolOutcome,
  ToolRegistry,
} from '@dsh-mcp/host'
import { importHostPackage } from '@dsh-mcp/testkit'

type Context = AssemblyContext &
  ExecutionContext & {
    plugin(plugin: unknown, config?: unknown): PromiseLike<unknown>
    get(service: string): unknown
  }

interface SystemPrompt {
  assemble(context: { readonly agent?: object; readonly scope?: object }): Promise<PromptAssembly>
}

/** One call of a model, or of a running execution. */
export interface Call {
  readonly agent?: object
  readonly parent?: symbol
}

/** What the broker stands on: the host's real registry and prompt, or a shape of another version made from them. */
export interface TestHost {
  readonly context: AssemblyContext & ExecutionContext
  readonly registry: ToolRegistry
  /** Names of the tools a model request of `agent` carries in full, sorted. */
  request(agent?: object): Promise<string[]>
  call(name: string, args?: unknown, options?: Call): Promise<ToolOutcome>
  /** Makes `agent` one that calls tools from programs: told by `run_code` in its registry, by its prompt, or both. */
  program(agent: object, told: { readonly byRegistry: boolean; readonly byPrompt: boolean }): void
}

/** Names of versions whose shape is imitated; `0.1.0` is the real thing. */
export type HostShape = '0.1.0' | '0.1.5' | '0.1.7' | '0.2.1' | '0.2.2'

export const HOST_SHAPES: readonly HostShape[] = ['0.1.0', '0.1.5', '0.1.7', '0.2.1', '0.2.2']

type Programs = WeakMap<object, { readonly byRegistry: boolean; readonly byPrompt: boolean }>

/** A registry with `run_code` for some agents, that passes `deferLoading` on where the version does (from 0.1.7). */
function shapedRegistry(registry: ToolRegistry, defers: boolean, programs: Programs): ToolRegistry {
  const runCode = { name: 'run_code' } as ToolDefinition
  const schemas: ToolRegistry['schemas'] = (agent) =>
    registry
      .schemas(agent)
      .map((schema) =>
        defers && registry.get(schema.name, agent)?.deferLoading === true ? { ...schema, deferLoading: true } : schema,
      )
  const get: ToolRegistry['get'] = (name, agent) =>
    name === runCode.name && agent !== undefined && programs.get(agent)?.byRegistry === true
      ? runCode
      : registry.get(name, agent)
  return new Proxy(registry, {
    get(target, member) {
      const value: unknown = Reflect.get(target, member)
      if (member === 'schemas') return schemas
      if (member === 'get') return get
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/**
 * The real registry and prompt of the installed host, in this process and without a host around them, changed where the
 * shape of a later version differs in what the broker uses: sections for programs have other names (0.1.5), the registry passes `deferLoading` on (0.1.7), assemblies carry
 * the flag (0.1.7), and assemblies carry no tools, the list being made from the registry afterwards (0.2.2).
 */
export async function testHost(shape: HostShape = '0.1.0'): Promise<TestHost> {
  const { Context } = await importHostPackage<{ Context: new () => Context }>('@deepseek-ai/cordis')
  const systemPrompt = await importHostPackage<{ default: unknown }>('@deepseek-ai/dsh-system-prompt')
  const tools = await importHostPackage<{ default: unknown }>('@deepseek-ai/dsh-tools')
  const context = new Context()
  await context.plugin(systemPrompt.default)
  await context.plugin(tools.default, { mode: 'native' })
  const real = context.get('tools') as ToolRegistry
  const prompt = context.get('systemPrompt') as SystemPrompt
  const defers = shape === '0.1.7' || shape === '0.2.1' || shape === '0.2.2'
  const programs: Programs = new WeakMap()
  const registry = shapedRegistry(real, defers, programs)
  // Later versions renamed the section that only programs' agents fill, and carry the flag in what is assembled.
  const reshape = (assembly: PromptAssembly, agent: object | undefined): PromptAssembly => {
    const told = agent !== undefined && programs.get(agent)?.byPrompt === true
    const only = shape === '0.1.0' ? 'tools:code-only' : 'tools:ptc-only'
    const sections = [
      ...(assembly.sections ?? []).filter(({ name }) => name !== 'tools:sdk' && name !== only),
      { name: only, text: told ? 'Call tools from programs only.' : '' },
      { name: 'tools:sdk', text: told ? 'declare const tools: …' : '' },
    ]
    const { tools, ...rest } = { ...assembly, sections }
    if (shape === '0.2.2') return rest
    const flagged = new Map(registry.schemas(agent).map((schema) => [schema.name, schema.deferLoading]))
    return {
      ...rest,
      ...(tools === undefined
        ? {}
        : { tools: tools.map((tool) => (flagged.get(tool.name) === true ? { ...tool, deferLoading: true } : tool)) }),
    }
  }
  const shaped: AssemblyContext & ExecutionContext = {
    on(event: 'system-prompt/assemble' | 'tools/execute', listener: never) {
      if (event === 'tools/execute') return context.on(event, listener)
      const heard = listener as Parameters<AssemblyContext['on']>[1]
      return context.on('system-prompt/assemble', (assembly, about, next) =>
        heard(reshape(assembly, about?.agent), about, async () => reshape(await next(), about?.agent)),
      )
    },
  }
  return {
    context: shaped,
    registry,
    async request(agent) {
      const assembly = await prompt.assemble(agent === undefined ? {} : { agent, scope: agent })
      const listed = shape === '0.2.2' ? registry.schemas(agent) : (assembly.tools ?? [])
      return listed
        .filter((tool) => tool.deferLoading !== true)
        .map(({ name }) => name)
        .sort()
    },
    program: (agent, told) => void programs.set(agent, told),
    call: (name, args = {}, options = {}) =>
      registry.execute({
        callId: 'call',
        name,
        arguments: args,
        signal: new AbortController().signal,
        ...options,
      } as Parameters<ToolRegistry['execute']>[0]),
  }
}
