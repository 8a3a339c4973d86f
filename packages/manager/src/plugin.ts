import { hostSettled, visitAgents } from '@dsh-mcp/host'
import type { VisitedContext } from '@dsh-mcp/host'
import type { Manager, ManagerContext } from './manager.ts'
import type { ManagerConfig } from './plugin-config.ts'
import type { WorkspaceAgent } from './workspaces/index.ts'

export { Config } from './plugin-config.ts'

export const name = 'mcp-manager'

/** Services of every profile. The web server is not one of them, and a required service that never comes stops the host. */
export const inject = ['tools', 'agents']

/** A settled host still has its address to print; loading and starting programs waits this long, or for an agent. */
const quietMs = 150

/**
 * Brings MCP servers into the host. Everything heavy is loaded, and connecting begun, only when the host has settled, so its
 * start is never delayed; nothing in here ever throws.
 */
export function apply(context: ManagerContext & VisitedContext, config: ManagerConfig): void {
  const report = (error: unknown): void =>
    context.logger.warn(error instanceof Error ? error : new Error(String(error)))

  context.effect(() => {
    let ended = false
    let manager: Manager | undefined
    let wanted = (): void => undefined
    const firstAgent = new Promise<void>((resolve) => {
      wanted = resolve
    })
    const opening = hostSettled(context)
      .then(() => patiently(firstAgent, quietMs))
      .then(() => import('./manager.ts'))
      .then(({ openManager }) => openManager(context, config))
      .then((opened) => {
        if (ended) return opened.close()
        manager = opened
        return undefined
      })
      .catch(report)

    const stopVisits = visitAgents<WorkspaceAgent>(context, {
      async arrive(agent) {
        wanted()
        // Goes on when the patience ends: the agent then gets its servers while it is at work.
        await patiently(
          opening.then(() => manager?.arrive(agent)),
          config.firstConnectWaitMs,
        )
      },
      leave: (agent) => void opening.then(() => manager?.leave(agent)),
      report,
    })

    return async () => {
      ended = true
      stopVisits()
      await opening
      await manager?.close().catch(report)
    }
  }, 'mcp-manager')
}

/** Waits for `work`, but not longer than `limitMs`. */
async function patiently(work: Promise<unknown>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs)
  })
  await Promise.race([work, limit])
  clearTimeout(timer)
}
