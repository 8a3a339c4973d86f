import { setTimeout as sleep } from 'node:timers/promises'
import { parseScript } from './script.ts'
import type { Step } from './script.ts'

/** The parts of the host's message and request shapes that the scripted model reads (DSH 0.1.0-rc.8). */
export interface Block {
  readonly type: string
  readonly text?: string
  readonly [key: string]: unknown
}
export interface Message {
  readonly role: string
  readonly content: readonly Block[]
  readonly source?: { readonly kind?: string }
}
export interface ModelRequest {
  readonly model: string
  readonly messages: readonly Message[]
  readonly system?: string
  readonly tools?: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[]
  readonly signal?: AbortSignal
  readonly sessionId?: string
  readonly purpose?: string
}
type Chunk = Readonly<Record<string, unknown>>

/** Text of the newest message the user wrote, and the messages that came after it. */
export function currentTurn(messages: readonly Message[]): { prompt: string; after: readonly Message[] } {
  const index = messages.findLastIndex(
    (message) =>
      message.role === 'user' &&
      (message.source?.kind ?? 'user') === 'user' &&
      message.content.some((block) => block.type === 'text'),
  )
  const prompt = messages[index]?.content.map((block) => block.text ?? '').join('\n') ?? ''
  return { prompt, after: messages.slice(index + 1) }
}

function toolResults(messages: readonly Message[]): readonly Block[] {
  return messages.flatMap((message) => message.content).filter((block) => block.type === 'tool-result')
}

/** Number of model requests of this turn that already ended in tool calls. */
function answeredRequests(messages: readonly Message[]): number {
  return messages.filter(
    (message) => message.role === 'assistant' && message.content.some((block) => block.type === 'tool-call'),
  ).length
}

/** What ends a text block or a call, as the host's adapters do it. */
export function* textBlock(index: number, text: string, type: 'text' | 'reasoning' = 'text'): Generator<Chunk> {
  yield { type: 'block-start', index, blockType: type }
  yield { type: `${type}-delta`, index, text }
  yield { type: 'block-end', index, block: { type, text } }
}

/** One complete tool call. `args` is raw JSON text. */
export function* toolCallBlock(index: number, name: string, args: string): Generator<Chunk> {
  const id = `call_${crypto.randomUUID().slice(0, 8)}`
  yield { type: 'block-start', index, blockType: 'tool-call' }
  yield { type: 'tool-call-delta', index, id, name, argumentsDelta: args }
  yield { type: 'block-end', index, block: { type: 'tool-call', id, name, arguments: args } }
}

/** Usage, then the end of the request; nothing may follow. */
export function* finish(reason: Chunk, outputTokens = 5): Generator<Chunk> {
  yield { type: 'usage', usage: { inputTokens: 10, outputTokens } }
  yield { type: 'finish', reason }
}

async function* streamed(
  index: number,
  step: Extract<Step, { kind: 'stream' }>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Chunk> {
  yield { type: 'block-start', index, blockType: 'text' }
  let text = ''
  for (let n = 0; n < step.chunks; n++) {
    await sleep(step.delayMs, undefined, { signal })
    text += step.text
    yield { type: 'text-delta', index, text: step.text }
  }
  yield { type: 'block-end', index, block: { type: 'text', text } }
}

/** Plays one request of the script of the newest user message. */
export async function* playScript(request: ModelRequest): AsyncGenerator<Chunk> {
  const { prompt, after } = currentTurn(request.messages)
  const script = parseScript(prompt)
  const steps = script[answeredRequests(after)] ?? []
  let index = 0
  let calls = 0
  let spoke = false
  for (const step of steps) {
    switch (step.kind) {
      case 'say':
        yield* textBlock(index++, step.text)
        spoke = true
        break
      case 'think':
        yield* textBlock(index++, step.text, 'reasoning')
        break
      case 'stream':
        yield* streamed(index++, step, request.signal)
        spoke = true
        break
      case 'sleep':
        await sleep(step.ms, undefined, { signal: request.signal })
        break
      case 'hang':
        await sleep(3_600_000, undefined, { signal: request.signal })
        break
      case 'fail':
        yield { type: 'finish', reason: { kind: 'error', failure: { code: step.code, message: step.message } } }
        return
      case 'max-tokens':
        yield* finish({ kind: 'max-tokens' })
        return
      case 'call':
        yield* toolCallBlock(index++, step.tool, step.arguments)
        calls++
        break
      default:
        step satisfies never
    }
  }
  if (calls > 0) {
    yield* finish({ kind: 'tool-calls' })
    return
  }
  if (!spoke) yield* textBlock(index, JSON.stringify(toolResults(after)))
  yield* finish({ kind: 'stop' })
}
