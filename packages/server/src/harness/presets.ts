import type { AgentPreset, AgentSetup, HostServiceContext } from '@dsh-mcp/host'
import { Failure } from './failure.ts'
import type { LogView } from './session-logs.ts'

/** How an agent is composed. */
export interface Composition {
  /** To record in the session header; undefined on a host without presets, where all agents share one composition. */
  readonly agentPreset: string | undefined
  readonly setup: AgentSetup | undefined
}

/** Agent presets, where the host has them. */
export interface Presets {
  readonly defaultId: string | undefined
  list(): Promise<readonly AgentPreset[] | undefined>
  /** @throws Failure `preset_not_found`. */
  compose(id: string | undefined): Promise<Composition>
}

/** The preset a session runs: a blank session may have switched, which only its log tells. */
export function presetOf(view: Pick<LogView, 'header' | 'fold'>): string | undefined {
  return view.fold.agentPreset ?? view.header.agentPreset
}

export function createPresets(ctx: HostServiceContext): Presets {
  return {
    get defaultId() {
      return ctx.get('agentPresets')?.defaultId
    },
    list: async () => ctx.get('agentPresets')?.list(),
    async compose(id) {
      const presets = ctx.get('agentPresets')
      if (presets === undefined) {
        if (id !== undefined) {
          throw new Failure('preset_not_found', `no agent preset "${id}": this harness has no agent presets`, {
            hint: 'Leave agentPreset out. Presets are supplied by @deepseek-ai/dsh-agent-presets in the web profile.',
          })
        }
        return { agentPreset: undefined, setup: undefined }
      }
      let resolved: string
      try {
        resolved = (await presets.resolve(id)).id
      } catch (error) {
        const known = (await presets.list()).map((preset) => preset.id)
        throw new Failure('preset_not_found', `no agent preset "${id ?? 'default'}"`, {
          hint: `Known presets: ${known.join(', ')}.`,
          details: { available: known },
          cause: error,
        })
      }
      return {
        agentPreset: resolved,
        setup: async (agentContext) => {
          await presets.mount(agentContext, resolved)
        },
      }
    },
  }
}
