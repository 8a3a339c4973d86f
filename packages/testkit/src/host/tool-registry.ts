import { importHostPackage } from './packages.ts'

interface Context {
  plugin(plugin: unknown, config?: unknown): PromiseLike<unknown>
  get(service: string): unknown
}

/**
 * The host's own tool registry in this process, without a host around it: for tests of what is registered and what a call
 * through the whole pipeline gives. The caller states the part of the registry it uses.
 */
export async function hostToolRegistry<Registry>(): Promise<Registry> {
  const { Context } = await importHostPackage<{ Context: new () => Context }>('@deepseek-ai/cordis')
  const prompt = await importHostPackage<{ default: unknown }>('@deepseek-ai/dsh-system-prompt')
  const tools = await importHostPackage<{ default: unknown }>('@deepseek-ai/dsh-tools')
  const context = new Context()
  await context.plugin(prompt.default)
  await context.plugin(tools.default, { mode: 'native' })
  return context.get('tools') as Registry
}
