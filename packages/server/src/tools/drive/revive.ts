import type { Agent, ModelSelection } from '@dsh-mcp/host'
import { Failure } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'

/**
 * The live agent of a session that a client wants to give work to, resumed where needed; refused where the user's policy
 * says so. The policy is asked first, so that a refused session is not even resumed.
 */
export async function reviveForWork(
  harness: Harness,
  sessionId: string,
  signal: AbortSignal,
): Promise<{ readonly agent: Agent; readonly resumed: boolean }> {
  await harness.policy.requireDrivable(await harness.logs.read(sessionId, signal))
  return harness.agents.revive(sessionId)
}

/** @throws Failure `model_unavailable` where the model is known not to look at images. */
export async function requireImageInput(harness: Harness, selection: ModelSelection | undefined): Promise<void> {
  const llm = harness.host.get('llm')
  if (llm === undefined || selection === undefined) return
  const { provider, model } = selection
  const info = await llm.resolveModelInfo(provider, model).catch(() => undefined)
  if (info?.inputModalities === undefined || info.inputModalities.includes('image')) return
  throw new Failure('model_unavailable', `model "${model}" of provider "${provider}" does not take images`, {
    hint: 'Leave the images out, or choose a model with image input from dsh_list_models.',
    details: { provider, model },
  })
}
