import type { ToolRegistry } from '@dsh-mcp/host'

interface Agent {
  readonly ctx: { readonly tools: Pick<ToolRegistry, 'restrict'> }
}
type Next = () => Promise<unknown>

/** A plugin row that lets every agent have one tool only, as presets and subagents with a list of tools do. */
export const name = 'narrow-agent'
export const inject = ['tools']

export function apply(context: {
  on(event: string, listener: (assembly: unknown, about: { readonly agent: Agent }, next: Next) => unknown): void
}): void {
  const narrowed = new WeakSet<Agent>()
  context.on('system-prompt/assemble', (_assembly, { agent }, next) => {
    if (!narrowed.has(agent)) agent.ctx.tools.restrict({ allow: ['mcp__small__tool_1'] })
    narrowed.add(agent)
    return next()
  })
}
