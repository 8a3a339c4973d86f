import { randomUUID } from 'node:crypto'
import type { Agent, AgentRequestListener, HostServiceContext, ModelSelection } from '@dsh-mcp/host'
import { keepingDefaultModel } from './default-model.ts'
import { Failure, serviceUnavailable } from './failure.ts'
import type { SessionLogs } from './session-logs.ts'

/** A wish for a model; what is left out stays as it is. */
export interface ModelWish {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly reasoningEffort?: string | undefined
}

/** The model a session uses, and the way to change it for one session only. */
export interface Models {
  /** The user's default for new sessions. */
  defaultSelection(): ModelSelection | undefined
  /**
   * Completes a wish with `base` and asks the harness whether it can be served.
   *
   * @throws Failure `model_unavailable`, `service_unavailable`.
   */
  resolve(wish: ModelWish, base: ModelSelection | undefined, signal?: AbortSignal): Promise<ModelSelection>
  /** The selection in force for a live agent. */
  currentOf(agent: Agent): ModelSelection | undefined
  /** Applies a resolved selection to one live agent; the user's default stays as it is. */
  select(agent: Agent, selection: ModelSelection): Promise<void>
  /**
   * Puts a selection in force until the session has logged it; with `onlyInsteadOf` only while nobody else has chosen
   * anything but that.
   */
  override(agent: Pick<Agent, 'ctx'>, selection: ModelSelection, onlyInsteadOf?: ModelSelection): void
  /** Runs while no selection of ours is under way, so that a session created meanwhile gets the user's own default. */
  settled(): Promise<void>
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function sameSelection(a: ModelSelection | undefined, b: ModelSelection): boolean {
  return a?.provider === b.provider && a.model === b.model && a.reasoningEffort === b.reasoningEffort
}

function modelUnavailable(selection: ModelSelection, message: string, cause?: unknown): Failure {
  return new Failure(
    'model_unavailable',
    `model "${selection.model}" of provider "${selection.provider}": ${message}`,
    {
      hint: 'Pick a provider, model and effort from dsh_list_models.',
      details: { ...selection },
      ...(cause === undefined ? {} : { cause }),
    },
  )
}

export function createModels(ctx: HostServiceContext, logs: SessionLogs): Models {
  const overridden = new WeakMap<object, { selection: ModelSelection; dispose: () => void }>()
  /** Selections the gateway holds until the next request logs them. */
  const selected = new WeakMap<Agent, { readonly selection: ModelSelection; readonly fromSeq: number }>()
  /** Selections through the gateway run one after another: each writes the user's default and puts it back. */
  let tail: Promise<void> = Promise.resolve()

  function override(agent: Pick<Agent, 'ctx'>, selection: ModelSelection, onlyInsteadOf?: ModelSelection): void {
    overridden.get(agent.ctx)?.dispose()
    let usedAt: number | undefined
    const listener: AgentRequestListener = async (payload, next) => {
      const base = await next()
      const { modelSeq, nextSeq } = logs.foldOf(payload.agent.session)
      const inLog = usedAt !== undefined && modelSeq >= usedAt
      // The log carries it from here on, and a later choice of the user wins again.
      if (inLog || (onlyInsteadOf !== undefined && !sameSelection(base, onlyInsteadOf))) {
        entry.dispose()
        return base
      }
      usedAt ??= nextSeq
      const { reasoningEffort: _inherited, ...rest } = base
      return { ...rest, ...selection }
    }
    const stop = agent.ctx.on('agent/request', listener, { prepend: true })
    const entry = {
      selection,
      dispose: () => {
        stop()
        if (overridden.get(agent.ctx) === entry) overridden.delete(agent.ctx)
      },
    }
    overridden.set(agent.ctx, entry)
  }

  async function selectThroughGateway(
    agent: Agent,
    selection: ModelSelection,
    selectModel: NonNullable<ReturnType<typeof gateway>>,
  ): Promise<void> {
    // Observed on DSH 0.1.0-rc.8: the gateway also saves the choice as the user's default.
    const { result } = await keepingDefaultModel(ctx, () =>
      selectModel({
        type: 'client-request',
        rpcId: randomUUID(),
        method: 'session.selectModel',
        payload: { sessionId: agent.id, ...selection },
      }),
    )
    if (!result.ok) throw modelUnavailable(selection, result.error.message)
  }

  function gateway() {
    const sessions = ctx.get('apiProxy')?.sessions
    return typeof sessions?.selectModel === 'function' ? sessions.selectModel.bind(sessions) : undefined
  }

  return {
    defaultSelection: () => ctx.get('agentDefaultModel')?.currentSelection(),
    async resolve(wish, base, signal) {
      const llm = ctx.get('llm')
      if (llm === undefined) throw serviceUnavailable('llm')
      const provider = wish.provider ?? base?.provider
      const model = wish.model ?? base?.model
      if (provider === undefined || model === undefined) throw serviceUnavailable('agentDefaultModel')
      const sameRoute = provider === base?.provider && model === base.model
      const reasoningEffort = wish.reasoningEffort ?? (sameRoute ? base.reasoningEffort : undefined)
      const selection: ModelSelection = {
        provider,
        model,
        ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
      }
      if (!llm.listProviders().some((entry) => entry.id === provider)) {
        throw modelUnavailable(selection, 'no such provider is mounted')
      }
      try {
        const info = await llm.resolveModelInfo(provider, model, signal)
        const efforts = info.reasoning?.efforts.map((effort) => effort.id) ?? []
        if (wish.reasoningEffort !== undefined && !efforts.includes(wish.reasoningEffort)) {
          const offered = efforts.length === 0 ? 'it offers none' : `it offers ${efforts.join(', ')}`
          throw modelUnavailable(selection, `reasoning effort "${wish.reasoningEffort}" is not offered; ${offered}`)
        }
        return selection
      } catch (error) {
        if (error instanceof Failure) throw error
        signal?.throwIfAborted()
        throw modelUnavailable(selection, messageOf(error), error)
      }
    },
    currentOf(agent) {
      const { model, modelSeq } = logs.foldOf(agent.session)
      const waiting = selected.get(agent)
      if (waiting !== undefined && modelSeq < waiting.fromSeq) return waiting.selection
      const chosen = overridden.get(agent.ctx)?.selection ?? model
      if (chosen !== undefined) return chosen
      const { options } = agent
      if (options.provider !== undefined && options.model !== undefined) {
        return { provider: options.provider, model: options.model }
      }
      return ctx.get('agentDefaultModel')?.currentSelection()
    },
    async select(agent, selection) {
      const selectModel = gateway()
      if (selectModel === undefined) {
        override(agent, selection)
        return
      }
      const turn = tail.then(() => selectThroughGateway(agent, selection, selectModel))
      tail = turn.catch(() => {})
      await turn
      selected.set(agent, { selection, fromSeq: logs.foldOf(agent.session).nextSeq })
      overridden.get(agent.ctx)?.dispose()
    },
    override,
    settled: () => tail,
  }
}
