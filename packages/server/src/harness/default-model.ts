import type { HostServiceContext, ModelSelection } from '@dsh-mcp/host'

/** The section of the user's settings that holds the default model (observed on DSH 0.1.0-rc.8). */
const section = 'agent-default-model'

function same(a: ModelSelection, b: ModelSelection): boolean {
  return a.provider === b.provider && a.model === b.model && a.reasoningEffort === b.reasoningEffort
}

/** Whether the user has chosen a default model; undefined on a host without settings. */
function chosen(ctx: HostServiceContext): boolean | undefined {
  const user = ctx
    .get('settings')
    ?.describe()
    .find((entry) => entry.ns === section)?.user
  return ctx.get('settings') === undefined ? undefined : user !== undefined && Object.keys(user).length > 0
}

/**
 * Runs `change`, which may write the user's default model, and puts back what was there: the user's own choice, or none,
 * so that the default of the composition stays in force.
 */
export async function keepingDefaultModel<T>(ctx: HostServiceContext, change: () => Promise<T>): Promise<T> {
  const defaults = ctx.get('agentDefaultModel')
  const before = defaults?.currentSelection()
  const chosenBefore = chosen(ctx)
  try {
    return await change()
  } finally {
    if (chosenBefore === false) {
      if (chosen(ctx) === true) await ctx.get('settings')?.replace(section, {})
    } else if (before !== undefined && defaults !== undefined && !same(defaults.currentSelection(), before)) {
      await defaults.saveSelection(before)
    }
  }
}
