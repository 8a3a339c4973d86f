import type {
  Agent,
  ApiProxy,
  ApprovalOutcome,
  ApprovalRequest,
  HostServiceContext,
  QuestionAnswer,
  QuestionRequest,
} from '@dsh-mcp/host'
import { expect, test, vi } from 'vitest'
import { createInteractions } from './index.ts'

type Listener = (request: never, next: () => Promise<never>) => Promise<never>

/** A root context with the given services; `approve` and `ask` run its waterfalls as a host does. */
function fakeHost(services: Partial<Record<string, unknown>>) {
  const listeners = new Map<string, Listener[]>()
  const disposers: (() => void)[] = []
  const ctx = {
    get: (name: string) => services[name],
    on(event: string, listener: Listener, options?: { prepend?: boolean }) {
      const all = listeners.get(event) ?? []
      listeners.set(event, options?.prepend === true ? [listener, ...all] : [...all, listener])
      return () => {}
    },
    effect(start: () => () => void) {
      disposers.push(start())
    },
  } as unknown as HostServiceContext

  function waterfall<Answer>(event: string, request: unknown, last: () => Promise<Answer>): Promise<Answer> {
    const run = (index: number): Promise<Answer> => {
      const listener = listeners.get(event)?.[index]
      return listener === undefined ? last() : listener(request as never, (() => run(index + 1)) as never)
    }
    return run(0)
  }
  return {
    ctx,
    unload: () => {
      for (const dispose of disposers) dispose()
    },
    approve: (request: Partial<ApprovalRequest>, last: () => Promise<ApprovalOutcome>) =>
      waterfall('approval/request', request, last),
    ask: (request: Partial<QuestionRequest>, last: () => Promise<QuestionAnswer>) =>
      waterfall('user-questions/request', request, last),
  }
}

const agent = { id: 'driven' } as Agent
const stranger = { id: 'stranger' } as Agent
const unavailable = () => Promise.resolve('unavailable' as const)
const never = () => new Promise<never>(() => {})
const questions = [{ id: 'q', question: 'Which?', options: [{ label: 'a' }] }]
const noProvider = () => Promise.reject(Object.assign(new Error('nobody'), { code: 'NO_PROVIDER' }))

function open(host: ReturnType<typeof fakeHost>, more: Partial<Parameters<typeof createInteractions>[1]> = {}) {
  const changed = vi.fn()
  const interactions = createInteractions(host.ctx, {
    changed,
    isDriven: (id) => id === 'driven',
    gatewayExpected: false,
    ...more,
  })
  return { interactions, changed }
}

test('a host with neither gateway nor approvals nor questions has no channel', async () => {
  const { interactions } = open(fakeHost({}))
  expect(interactions.channel).toBe('none')
  expect(interactions.list()).toEqual([])
  const pending = { interactionId: 'x', sessionId: 's', requestedAt: 0, kind: 'question' as const, questions: [] }
  expect(await interactions.dismiss(pending)).toBe('not-pending')
})

test('a later host: questions come through a waterfall, where ours and the page answer side by side', async () => {
  const host = fakeHost({ approval: {}, userQuestions: {} })
  const { interactions, changed } = open(host)
  expect(interactions.channel).toBe('waterfall')

  const ours = host.ask({ agent, questions }, never)
  const [pending] = interactions.list()
  expect(pending).toMatchObject({ kind: 'question', sessionId: 'driven' })
  if (pending?.kind !== 'question') throw new Error('no question')
  expect(await interactions.answer(pending, [{ id: 'q', selected: ['a'] }])).toBe('accepted')
  expect(await ours).toEqual({ answers: [{ id: 'q', selected: ['a'] }] })
  expect(await interactions.dismiss(pending)).toBe('not-pending')
  expect(changed).toHaveBeenCalledTimes(2)

  const fromPage = { answers: [{ id: 'q', selected: [], custom: 'the page' }] }
  expect(await host.ask({ agent, questions }, () => Promise.resolve(fromPage))).toEqual(fromPage)
  expect(interactions.list()).toEqual([])
  const cancelled = () => Promise.reject(Object.assign(new Error('waved away'), { code: 'ASK_CANCELLED' }))
  await expect(host.ask({ agent, questions }, cancelled)).rejects.toThrow('waved away')
  expect(interactions.list()).toEqual([])
})

test('where nobody else can answer, ours stays open', async () => {
  const host = fakeHost({ approval: {}, userQuestions: {} })
  const { interactions } = open(host)
  const asked = host.ask({ agent, questions }, noProvider)
  const approved = host.approve({ agent, toolName: 'bash' }, unavailable)
  await Promise.resolve()
  expect(interactions.list().map((pending) => pending.kind)).toEqual(['question', 'approval'])
  for (const pending of interactions.list()) {
    if (pending.kind === 'approval') expect(await interactions.decide(pending, true)).toBe('accepted')
    else expect(await interactions.dismiss(pending)).toBe('accepted')
  }
  expect(await approved).toBe('allowed-once')
  await expect(asked).rejects.toMatchObject({ code: 'ASK_CANCELLED' })
})

test('a session that no client works with is left to the rest alone', async () => {
  const host = fakeHost({ approval: {}, userQuestions: {} })
  const { interactions } = open(host)
  expect(await host.approve({ agent: stranger, toolName: 'bash' }, unavailable)).toBe('unavailable')
  await expect(host.ask({ agent: stranger, questions }, noProvider)).rejects.toMatchObject({ code: 'NO_PROVIDER' })
  expect(interactions.list()).toEqual([])
})

test('a request that is withdrawn, or still open when the plugin unloads, leaves nothing behind', async () => {
  const host = fakeHost({ approval: {}, userQuestions: {} })
  const { interactions } = open(host)
  const withdrawal = new AbortController()
  const withdrawn = host.approve({ agent, toolName: 'bash', signal: withdrawal.signal }, unavailable)
  withdrawal.abort()
  expect(await withdrawn).toBe('cancelled')
  const left = host.approve({ agent, toolName: 'bash' }, unavailable)
  host.unload()
  expect(await left).toBe('cancelled')
  expect(interactions.list()).toEqual([])
})

test('the question seat is taken only where no gateway may come for it', () => {
  const registerProvider = vi.fn(() => () => {})
  open(fakeHost({ approval: {}, userQuestions: { registerProvider } }), { gatewayExpected: true })
  expect(registerProvider).not.toHaveBeenCalled()
  open(fakeHost({ approval: {}, userQuestions: { registerProvider } }))
  expect(registerProvider).toHaveBeenCalledOnce()
})

test('a gateway without an event stream or without a way to answer is no gateway', () => {
  for (const proxy of [{}, { events: {} }, { respond: () => {} }] as ApiProxy[]) {
    expect(open(fakeHost({ apiProxy: proxy, approval: {}, userQuestions: {} })).interactions.channel).toBe('waterfall')
  }
})
