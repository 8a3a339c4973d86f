import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { finish, playScript, textBlock } from './adapter.ts'
import type { Message, ModelRequest } from './adapter.ts'

/**
 * A plugin row for hosts under test: registers the scripted model under the provider `scripted` (models `scripted` and
 * `scripted-vision`, the second accepts images), writes every model request to `$DSH_HOME/model-requests.jsonl` and every
 * log line of the host to `$DSH_HOME/host.log`.
 */
interface Host {
  readonly llm: { registerAdapter(routes: readonly string[], adapter: object): () => void }
  readonly logger: {
    exporter?(target: { export(message: { name: string; type: string; args: readonly unknown[] }): void }): () => void
  }
  effect(start: () => () => void, name?: string): void
}

const home = process.env.DSH_HOME!
/** With `full` the system prompt, the schemas and the messages are written too. */
const full = process.env.DSH_MCP_TEST_RECORD === 'full'

function record(request: ModelRequest): void {
  const { model, purpose, sessionId, tools = [], messages, system } = request
  const line = {
    time: Date.now(),
    model,
    purpose,
    sessionId,
    tools: tools.map((tool) => tool.name),
    toolBytes: Buffer.byteLength(JSON.stringify(tools)),
    messageCount: messages.length,
    ...(full && { schemas: tools, messages, system }),
  }
  appendFileSync(join(home, 'model-requests.jsonl'), `${JSON.stringify(line)}\n`)
}

function modelInfo(provider: string, id: string): object {
  const inputModalities = id.endsWith('vision') ? ['text', 'image'] : ['text']
  return { provider, id, name: id, inputModalities, context: { contextWindow: 128_000 } }
}

const adapter = {
  providerInfo: (provider: string) => ({ id: provider, name: 'Scripted' }),
  providerRetryPolicy: () => undefined,
  listModels: async (provider: string) => ['scripted', 'scripted-vision'].map((id) => modelInfo(provider, id)),
  resolveModel: async (provider: string, model: string) => modelInfo(provider, model),
  async *stream(request: ModelRequest) {
    record(request)
    if (request.purpose === 'session-title') {
      yield* textBlock(0, titleOf(request.messages))
      yield* finish({ kind: 'stop' })
      return
    }
    yield* playScript(request)
  },
}

function titleOf(messages: readonly Message[]): string {
  const words = messages.flatMap((message) => message.content).map((block) => block.text ?? '')
  return words.join(' ').slice(0, 40) || 'Scripted session'
}

export const name = 'dsh-mcp-test-row'
export const inject = ['llm']

export function apply(ctx: Host): void {
  ctx.effect(() => ctx.llm.registerAdapter(['scripted'], adapter), 'scripted model')
  const { logger } = ctx
  if (typeof logger.exporter !== 'function') return
  const target = {
    export(message: { name: string; type: string; args: readonly unknown[] }) {
      const text = message.args.map((part) => (part instanceof Error ? part.stack : String(part))).join(' ')
      appendFileSync(join(home, 'host.log'), `${message.type} ${message.name} ${text}\n`)
    },
  }
  ctx.effect(() => logger.exporter!(target), 'log file')
}
