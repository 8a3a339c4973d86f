import { hostSettled, pluginLog, visitAgents } from '@dsh-mcp/host'
import type { VisitedContext } from '@dsh-mcp/host'
import type { Manager, ManagerContext } from './manager.ts'
import type { ManagerConfig } from './plugin-config.ts'
// Not by the door of its room: that one brings the whole API along, which is loaded after the host's start.
import { mountApi } from './web/mount.ts'
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
  const log = pluginLog(context.logger, name)
  const report = (error: unknown): void => log.warn(error instanceof Error ? error.message : String(error), error)

  context.effect(() => {
    let manager: Manager | undefined
    const ended = signalOf()
    const firstAgent = signalOf()
    const opening = Promise.race([hostSettled(context), ended.given])
      .then(() => patiently(Promise.race([firstAgent.given, ended.given]), quietMs))
      .then(async () => {
        if (ended.isGiven) return
        const { openManager } = await import('./manager.ts')
        const opened = await openManager(context, config, log)
        if (ended.isGiven) await opened.close()
        else manager = opened
      })
      .catch(report)

    mountApi(
      context,
      () => opening.then(() => manager?.api),
      (line) => log.warn(line),
    )
    const stopVisits = visitAgents<WorkspaceAgent>(context, {
      async arrive(agent) {
        firstAgent.give()
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
      ended.give()
      stopVisits()
      await opening
      await manager?.close().catch(report)
    }
  }, 'mcp-manager')
}

/** Something that is said once. */
function signalOf() {
  let isGiven = false
  let resolve = (): void => undefined
  const given = new Promise<void>((settle) => {
    resolve = settle
  })
  return {
    given,
    give(): void {
      isGiven = true
      resolve()
    },
    get isGiven() {
      return isGiven
    },
  }
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
