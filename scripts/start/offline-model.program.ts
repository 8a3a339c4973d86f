import { currentTurn, finish, textBlock, toolCallBlock } from '@dsh-mcp/testkit/model'
import type { ModelRequest } from '@dsh-mcp/testkit/model'
import { chooseCall } from './offline-choice.ts'

/**
 * A plugin row for `npm start` without an API key: a model that needs no network. It answers each prompt with one call
 * of the MCP tool that fits best and then shows the result.
 */
interface Host {
  readonly llm: { registerAdapter(routes: readonly string[], adapter: object): () => void }
  effect(start: () => () => void, name?: string): void
}

const id = 'offline'
const info = { provider: id, id, name: 'Offline demonstration', inputModalities: ['text'] }

function wording(prompt: string): { nothing: string; answer: (tool: string, result: string) => string } {
  if (/\p{Script=Han}/u.test(prompt)) {
    return {
      nothing: '现在没有可用的 MCP 工具。请打开 设置 → MCP 查看服务器状态。',
      answer: (tool, result) =>
        `我是离线演示模型,没有联网。我调用了 MCP 工具 \`${tool}\`,它返回:\n\n${result}\n\n设置 DEEPSEEK_API_KEY 后重新运行即可使用真正的模型。`,
    }
  }
  return {
    nothing: 'No MCP tool is available right now. Open Settings → MCP to see the state of the servers.',
    answer: (tool, result) =>
      `This is the offline demonstration model. I called the MCP tool \`${tool}\`, and it answered:\n\n${result}\n\nSet DEEPSEEK_API_KEY and start again to use a real model.`,
  }
}

function* answer(request: ModelRequest) {
  const { prompt, after } = currentTurn(request.messages)
  const say = wording(prompt)
  const blocks = after.flatMap((message) => message.content)
  const called = blocks.findLast((block) => block.type === 'tool-call')
  if (called !== undefined) {
    const result = blocks.findLast((block) => block.type === 'tool-result')?.content as { text?: string }[] | undefined
    const text = (result ?? []).map((block) => block.text ?? '[…]').join('\n')
    yield* textBlock(0, say.answer(String(called.name), text))
    yield* finish({ kind: 'stop' })
    return
  }
  const choice = chooseCall(prompt, request.tools ?? [])
  if (choice === undefined) {
    yield* textBlock(0, say.nothing)
    yield* finish({ kind: 'stop' })
    return
  }
  yield* toolCallBlock(0, choice.tool, JSON.stringify(choice.arguments))
  yield* finish({ kind: 'tool-calls' })
}

/** The first words of the first quoted message: a title request holds the person's messages as JSON inside its text. */
function titleFor(request: string): string {
  const quoted = /\\"text\\":\\"(.*?)\\"/.exec(request)?.[1] ?? 'MCP'
  return quoted.replaceAll(/\\+n/g, ' ').slice(0, 40)
}

const adapter = {
  providerInfo: () => ({ id, name: 'Offline' }),
  providerRetryPolicy: () => undefined,
  listModels: async () => [info],
  resolveModel: async () => info,
  async *stream(request: ModelRequest) {
    if (request.purpose === 'session-title') {
      yield* textBlock(0, titleFor(JSON.stringify(request.messages)))
      yield* finish({ kind: 'stop' })
      return
    }
    yield* answer(request)
  },
}

export const name = 'dsh-mcp-offline-model'
export const inject = ['llm']

export function apply(ctx: Host): void {
  ctx.effect(() => ctx.llm.registerAdapter([id], adapter), 'offline model')
}
