import type { Llm, ModelInfo } from '@dsh-mcp/host'
import { z } from 'zod'
import { serviceUnavailable } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { outlineOf } from '../outline.ts'
import { modelShape } from '../shapes.ts'
import { modelView } from '../views.ts'

function failureOf(provider: string, error: unknown) {
  const code = (error as { readonly code?: unknown } | null)?.code
  return {
    provider,
    code: typeof code === 'string' ? code : 'UNKNOWN',
    message: error instanceof Error ? error.message : String(error),
  }
}

/** The catalogue names a model; asking for it alone also tells its window and efforts. */
async function described(llm: Llm, info: ModelInfo, signal: AbortSignal): Promise<ModelInfo> {
  try {
    return { ...info, ...(await llm.resolveModelInfo(info.provider, info.id, signal)) }
  } catch {
    signal.throwIfAborted()
    // The catalogue's own entry is still worth listing.
    return info
  }
}

function modelEntry({ id, name, description, context, reasoning, inputModalities }: ModelInfo) {
  return {
    id,
    name,
    description: description ?? null,
    contextWindow: context?.contextWindow ?? null,
    efforts: (reasoning?.efforts ?? []).map((effort) => ({ id: effort.id, name: effort.name })),
    defaultEffort: reasoning?.defaultEffort ?? null,
    inputModalities: [...(inputModalities ?? [])],
  }
}

export const listModels = defineTool({
  name: 'dsh_list_models',
  title: 'List models',
  description: 'Providers, models, context windows, reasoning efforts, current default.',
  hints: reads,
  input: z.strictObject({
    provider: z.string().min(1).max(200).optional().describe('Only this provider'),
    query: z.string().trim().min(1).max(200).optional().describe('Part of a model id or name'),
  }),
  output: z.object({
    default: modelShape.nullable(),
    providers: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        models: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            description: z.string().nullable(),
            contextWindow: z.number().nullable().describe('Tokens'),
            efforts: z.array(z.object({ id: z.string(), name: z.string() })),
            defaultEffort: z.string().nullable(),
            inputModalities: z.array(z.string()),
          }),
        ),
      }),
    ),
    failures: z.array(z.object({ provider: z.string(), code: z.string(), message: z.string() })),
  }),
  example: { query: 'reasoner' },
  async run({ provider, query }, { harness, signal }) {
    const llm = harness.host.get('llm')
    if (llm === undefined) throw serviceUnavailable('llm')
    const wanted = query?.toLocaleLowerCase()
    const matches = ({ id, name }: ModelInfo) =>
      wanted === undefined || id.toLocaleLowerCase().includes(wanted) || name.toLocaleLowerCase().includes(wanted)
    const chosen = llm.listProviders().filter((entry) => provider === undefined || entry.id === provider)
    const listed = await Promise.allSettled(
      chosen.map(async (entry) => {
        const models = (await llm.listModels(entry.id)).filter(matches)
        return Promise.all(models.map((info) => described(llm, info, signal)))
      }),
    )
    const providers = []
    const failures = []
    for (const [index, result] of listed.entries()) {
      const { id, name } = chosen[index]!
      if (result.status === 'rejected') failures.push(failureOf(id, result.reason))
      else providers.push({ id, name, models: result.value.map(modelEntry) })
    }
    return { default: modelView(harness.models.defaultSelection()), providers, failures }
  },
  render: (output) =>
    outlineOf(
      [...output.providers.flatMap(({ models }) => models), ...output.failures],
      'No such model. Leave provider and query out; where there is none at all, the user has to set one up in the harness.',
      output,
    ),
})
