import { importHostPackage } from './packages.ts'

/** The host's framework context with its tool registry mounted, and nothing else of a host. */
export interface ToolContext {
  /** Mounts a further plugin of the host. */
  plugin(plugin: unknown, config?: unknown): PromiseLike<unknown>
  get(service: string): unknown
}

/** A context for tests and benches that mount more than the registry. */
export async function hostToolContext(): Promise<ToolContext> {
  const { Context } = await importHostPackage<{ Context: new () => ToolContext }>('@deepseek-ai/cordis')
  const prompt = await importHostPackage<{ default: unknown }>('@deepseek-ai/dsh-system-prompt')
  const tools = await importHostPackage<{ default: unknown }>('@deepseek-ai/dsh-tools')
  const context = new Context()
  await context.plugin(prompt.default)
  await context.plugin(tools.default, { mode: 'native' })
  return context
}

/**
 * The host's own tool registry in this process, without a host around it: for tests of what is registered and what a call
 * through the whole pipeline gives. The caller states the part of the registry it uses.
 */
export async function hostToolRegistry<Registry>(): Promise<Registry> {
  return (await hostToolContext()).get('tools') as Registry
}
