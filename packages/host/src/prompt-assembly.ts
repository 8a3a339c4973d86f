import type { ToolRegistry, ToolSchema } from './tool-runtime.ts'

/** What the host has put together for one model request, as far as plugins of every supported host may look at it. */
export interface PromptAssembly {
  readonly sections?: readonly { readonly name: string; readonly text: string }[]
  /** Gone from hosts that build the list of tools later (0.2.2). */
  readonly tools?: readonly ToolSchema[]
}

/** Looks at one assembly and gives the one to use. Must not throw. */
export type AssemblyListener = (assembly: PromptAssembly, agent: object | undefined) => PromptAssembly

type Waterfall = (
  assembly: PromptAssembly,
  context: { readonly agent?: object; readonly scope?: object } | undefined,
  next: () => Promise<PromptAssembly>,
) => Promise<PromptAssembly>

/** The part of a plugin's context that follows assemblies. */
export interface AssemblyContext {
  on(event: 'system-prompt/assemble', listener: Waterfall): unknown
}

/** Lets `listener` have its say about every model request from now on, after the other plugins. Returns what ends it. */
export function onPromptAssembly(context: AssemblyContext, listener: AssemblyListener): () => void {
  let active = true
  const off = context.on('system-prompt/assemble', async (_assembly, about, next) => {
    const done = await next()
    return active ? listener(done, about?.agent ?? about?.scope) : done
  })
  return () => {
    active = false
    if (typeof off === 'function') off()
  }
}

const transport = 'run_code'
/** Sections that are non-empty only when tools are presented to programs (`code-only` before 0.1.5, `ptc-only` since). */
const programSections = new Set(['tools:sdk', 'tools:code-only', 'tools:ptc-only'])

/** Whether an assembly presents the tools to programs: by `run_code` among them, or by what it says of the SDK. */
export function presentsToPrograms(assembly: PromptAssembly): boolean {
  return (
    assembly.tools?.some((tool) => tool.name === transport) === true ||
    assembly.sections?.some((section) => programSections.has(section.name) && section.text.trim() !== '') === true
  )
}

/**
 * Whether an agent writes programs that call tools (modes `code`, `ptc` and `both`): it has `run_code`, even where a custom
 * prompt says nothing of it (observed on DSH 0.1.0-rc.8).
 */
export function callsFromPrograms(registry: Pick<ToolRegistry, 'get'>, agent: object | undefined): boolean {
  return registry.get(transport, agent) !== undefined
}

const probe = 'mcp_defer_loading_probe'

/**
 * Whether the host passes `deferLoading` of a definition on to model requests (since 0.1.7). There is no way to ask: a tool is
 * registered and taken back at once. `undefined` when that was not possible.
 */
export function projectsDeferLoading(registry: Pick<ToolRegistry, 'register' | 'schemas'>): boolean | undefined {
  try {
    const unregister = registry.register({
      name: probe,
      description: probe,
      parameters: { type: 'object' },
      output: { schema: {}, render: () => [] },
      execute: () => Promise.resolve(null),
      deferLoading: true,
    })
    try {
      return registry.schemas().find((schema) => schema.name === probe)?.deferLoading === true
    } finally {
      unregister()
    }
  } catch {
    // A host that refuses the probe for whatever reason has not told either way.
    return undefined
  }
}
