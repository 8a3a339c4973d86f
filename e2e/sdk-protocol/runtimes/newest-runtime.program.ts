import { randomUUID } from 'node:crypto'
import {
  approvalOutcome,
  commandText,
  JsonRpcLineTransport,
  JsonRpcResponseError,
  promptInput,
  readUserQuestionResult,
  runtimePeer,
  SdkProtocolError,
  type SdkPromptContentBlock,
  type SdkUserQuestion,
} from '@dsh-mcp/sdk-protocol'

/**
 * A runtime with the newest methods, which no published package has yet, built on this library. It ends with its input.
 * What a prompt makes it do:
 *
 *     /status            a command without a turn: its completion comes before its answer
 *     /goal <text>       a command that starts a turn: its completion comes after its answer
 *     approve            asks for approval, then says the outcome
 *     approve, give up   asks for approval and gives the request up at once; says the outcome when the late answer is there
 *     ask                asks a question, then says the answers or the error code
 *     ask, give up       asks a question, then cancels it
 *     anything else      says it
 */
const transport = new JsonRpcLineTransport(process.stdin, process.stdout, {
  onDiagnostic: ({ kind }) => {
    if (kind === 'unexpected-response') process.stderr.write('a late answer was dropped\n')
  },
})
const client = runtimePeer(transport)
const directories = new Map<string, string>()
const working = new Map<string, Promise<void>>()
const pendingApprovals = new AbortController()
let enabled = { approvals: false, questions: false }
let initialized = false
let seq = 0

const questions: SdkUserQuestion[] = [{ id: 'q', question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] }]

function emit(sessionId: string, type: string, data: unknown): void {
  client.notify('session.event', { sessionId, event: { type, seq: seq++, time: Date.now(), data } })
}

function say(sessionId: string, text: string): void {
  const source = { kind: 'model', provider: 'p', model: 'm' } as const
  const message = { id: randomUUID(), role: 'assistant', content: [{ type: 'text', text }], source } as const
  emit(sessionId, 'assistant/message', { turn: 0, step: 0, message })
}

async function askApproval(sessionId: string, giveUp: boolean): Promise<string> {
  if (!enabled.approvals) return 'approval: not asked'
  const controller = new AbortController()
  const signal = giveUp ? controller.signal : pendingApprovals.signal
  const request = client.request('approval/request', { sessionId, toolName: 'bash', reason: 'to test' }, signal)
  controller.abort(new Error('given up'))
  return `approval: ${await approvalOutcome(request)}`
}

async function askQuestion(sessionId: string, giveUp: boolean): Promise<string> {
  if (!enabled.questions) return 'NO_PROVIDER'
  const requestId = randomUUID()
  const controller = new AbortController()
  const request = client.request('user-question/ask', { requestId, sessionId, questions }, controller.signal)
  if (giveUp) {
    setTimeout(() => {
      controller.abort(new Error('given up'))
      client.notify('user-question.cancelled', { requestId, sessionId })
    }, 50)
  }
  try {
    const result = readUserQuestionResult(questions, await request)
    return 'cancelled' in result ? 'ASK_CANCELLED' : JSON.stringify(result.answers)
  } catch (error) {
    if (controller.signal.aborted) return 'the question was given up'
    return error instanceof SdkProtocolError ? 'BAD_ANSWER' : 'PROVIDER_ERROR'
  }
}

async function turn(sessionId: string, text: string): Promise<string> {
  client.notify('session.status', { sessionId, status: 'running' })
  emit(sessionId, 'turn/start', { turn: 0 })
  const answer = text.startsWith('approve')
    ? await askApproval(sessionId, text.includes('give up'))
    : text.startsWith('ask')
      ? await askQuestion(sessionId, text.includes('give up'))
      : text
  say(sessionId, answer)
  emit(sessionId, 'turn/end', { turn: 0, reason: { kind: 'completed' } })
  client.notify('session.status', { sessionId, status: 'idle' })
  return answer
}

function begin(sessionId: string, text: string): Promise<string> {
  const running = turn(sessionId, text)
  const settled = running.then(() => undefined)
  working.set(sessionId, settled)
  return running
}

function textOf(blocks: readonly SdkPromptContentBlock[]): string {
  return blocks.map((block) => ('text' in block && typeof block.text === 'string' ? block.text : '')).join('')
}

function runCommand(sessionId: string, blocks: readonly SdkPromptContentBlock[]) {
  const [name = '', ...rest] = commandText(blocks).slice(1).split(' ')
  const commandId = randomUUID()
  emit(sessionId, 'command/run', { commandId, name, args: rest.join(' '), source: { kind: 'user' } })
  emit(sessionId, 'command/done', { commandId, kind: 'success', text: 'done' })
  const complete = (finalResponse: string, finishReason?: 'completed'): void =>
    client.notify('session.query.completed', { sessionId, commandId, finalResponse, finishReason })
  if (name === 'status') complete('')
  else void begin(sessionId, rest.join(' ')).then((answer) => complete(answer, 'completed'))
  return { kind: 'command' as const, execution: { commandId, result: { kind: 'success' as const, text: 'done' } } }
}

function known(sessionId: string): string {
  const directory = directories.get(sessionId)
  if (directory === undefined) throw new JsonRpcResponseError(-32603, `unknown SDK session: ${sessionId}`)
  return directory
}

function enqueue(sessionId: string, blocks: readonly SdkPromptContentBlock[]): { messageId: string } {
  if (!initialized) throw new Error('SDK server is not initialized')
  const messageId = randomUUID()
  const message = { id: messageId, role: 'user', content: [...blocks], source: { kind: 'user' } }
  emit(sessionId, 'agent/inbox/spliced', { target: 'next-turn', start: 0, inserted: [message] })
  void begin(sessionId, textOf(blocks))
  return { messageId }
}

client.serve({
  initialize: ({ cwd, approvalRequests, capabilities }) => {
    initialized = true
    enabled = { approvals: approvalRequests === true, questions: capabilities?.userQuestions === true }
    directories.set('', cwd)
    return { serverInfo: { name: 'deepseek-harness-sdk-runtime', version: '0.0.1' } }
  },
  'session/prompt': ({ sessionId, contentBlocks }) => {
    directories.set(sessionId, directories.get(sessionId) ?? known(''))
    return enqueue(sessionId, contentBlocks)
  },
  'session/query': ({ sessionId, contentBlocks }) => {
    const blocks = promptInput(contentBlocks)
    directories.set(sessionId, directories.get(sessionId) ?? known(''))
    if (textOf(blocks).startsWith('/')) return runCommand(sessionId, blocks)
    return { kind: 'prompt', ...enqueue(sessionId, blocks) }
  },
  'session/resume': ({ sessionId }) => {
    if (sessionId !== 'stored') throw new Error(`no stored session "${sessionId}"`)
    directories.set(sessionId, known(''))
    return {}
  },
  'session/wait': async ({ sessionId }) => {
    known(sessionId)
    await working.get(sessionId)
    return {}
  },
  'session/working-directory/get': ({ sessionId }) => ({ cwd: known(sessionId) }),
  'session/working-directory/set': ({ sessionId, path }) => {
    const cwd = path.startsWith('/') ? path : `${known(sessionId)}/${path}`
    directories.set(sessionId, cwd)
    return { cwd }
  },
  shutdown: async () => {
    pendingApprovals.abort(new Error('shutdown'))
    await Promise.all(working.values())
    return {}
  },
})
transport.onEnd(() => {
  // The requests that waited were denied; their turns end in the next microtasks.
  setTimeout(() => process.exit(0), 50)
})
transport.start()
