import { randomUUID } from 'node:crypto'
import { JsonRpcLineTransport, promptInput, runtimePeer, type SessionEvent } from '@dsh-mcp/sdk-protocol'

/**
 * The smallest runtime that a published client can run against, built on this transport alone: each prompt is answered with
 * `echo: <text>` in one turn. It knows the three methods of the published protocol, and answers others as published
 * runtimes do. `ask` in a prompt asks the client for approval first and tells the answer.
 */
const transport = new JsonRpcLineTransport(process.stdin, process.stdout)
const client = runtimePeer(transport)
const seqOf = new Map<string, number>()

function emit(sessionId: string, type: string, data: unknown): void {
  const seq = seqOf.get(sessionId) ?? 0
  seqOf.set(sessionId, seq + 1)
  const event: SessionEvent = { type, seq, time: Date.now(), data }
  client.notify('session.event', { sessionId, event })
}

async function runTurn(sessionId: string, text: string): Promise<void> {
  client.notify('session.status', { sessionId, status: 'running' })
  emit(sessionId, 'turn/start', { turn: 0 })
  let answer = `echo: ${text}`
  if (text === 'ask') {
    const asked = transport.request('approval/request', { sessionId, toolName: 'bash', reason: 'to test' })
    answer = await asked.then(
      (result) => `the client said ${JSON.stringify(result)}`,
      (error: Error) => `the client refused: ${error.message}`,
    )
  }
  const content = [{ type: 'text', text: answer }]
  const message = { id: randomUUID(), role: 'assistant', content, source: { kind: 'model', provider: 'p', model: 'm' } }
  emit(sessionId, 'assistant/message', { turn: 0, step: 0, message })
  emit(sessionId, 'turn/end', { turn: 0, reason: { kind: 'completed' } })
  client.notify('session.status', { sessionId, status: 'idle' })
}

interface PromptParams {
  readonly sessionId: string
  readonly contentBlocks: { type: string; text?: string }[]
}

transport.onRequest((method, params) => {
  switch (method) {
    case 'initialize':
      return { serverInfo: { name: 'deepseek-harness-sdk-runtime', version: '0.0.1' } }
    case 'session/prompt': {
      const { sessionId, contentBlocks } = params as unknown as PromptParams
      const content = promptInput(contentBlocks)
      const messageId = randomUUID()
      const inserted = [{ id: messageId, role: 'user', content, source: { kind: 'user' } }]
      emit(sessionId, 'agent/inbox/spliced', { target: 'next-turn', start: 0, inserted })
      void runTurn(sessionId, contentBlocks.map((block) => block.text ?? '').join(''))
      return { messageId }
    }
    case 'shutdown':
      setImmediate(() => void transport.flush().then(() => process.exit(0)))
      return {}
    default:
      throw new Error(`unknown DeepSeek Harness SDK runtime method: ${method}`)
  }
})
transport.onEnd(() => process.exit(0))
transport.start()
