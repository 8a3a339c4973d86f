import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * A plugin row for the host under measurement: before the host is up it writes the stored sessions that the JSON file
 * `DSH_MCP_BENCH_SEED` names, through the host's own store. Sessions that are there already stay as they are. It also serves
 * the host's own read of a stored session as the yardstick for ours.
 */
interface StoredSession {
  readonly id: string
  readonly cwd: string
  readonly turns: number
  /** Chunk events of each turn, beside the nine others. */
  readonly chunks: number
}

interface SeedEvent {
  readonly type: string
  readonly data: unknown
  readonly surfaceOp?: 'append'
}

interface Store {
  list(): Promise<readonly { readonly id: string }[]>
  create(header: object): Promise<void>
  append(id: string, events: readonly object[]): Promise<void>
  inspect(id: string): Promise<{ readonly events: readonly unknown[] }>
}

function turnEvents(turn: number, chunks: number): readonly SeedEvent[] {
  const text = `What about part ${turn}?`
  const answer = 'word '.repeat(chunks).trimEnd()
  const user = { id: crypto.randomUUID(), role: 'user', content: [{ type: 'text', text }], source: { kind: 'user' } }
  const step = { turn, step: 1 }
  const config = { provider: 'scripted', model: 'scripted' }
  const message = {
    id: crypto.randomUUID(),
    role: 'assistant',
    content: [{ type: 'text', text: answer }],
    source: { kind: 'model', ...config },
  }
  return [
    { type: 'turn/start', data: { turn } },
    { type: 'step/start', data: step },
    { type: 'user/message', data: user, surfaceOp: 'append' },
    ...(turn === 1 ? [{ type: 'request/header', data: { header: { config }, reason: 'initial' } }] : []),
    ...Array.from({ length: chunks }, () => ({
      type: 'assistant/chunk',
      data: { ...step, chunk: { type: 'text-delta', index: 0, text: 'word ' } },
    })),
    {
      type: 'assistant/message',
      data: { ...step, message, usage: { inputTokens: 100, outputTokens: chunks } },
      surfaceOp: 'append',
    },
    { type: 'step/end', data: step },
    { type: 'turn/end', data: { turn, reason: { kind: 'completed' } } },
  ]
}

async function write(store: Store, { id, cwd, turns, chunks }: StoredSession, index: number): Promise<void> {
  const createdAt = Date.UTC(2026, 0, 1) + index * 60_000
  await store.create({ version: 0, id, createdAt, cwd })
  const events = Array.from({ length: turns }, (_, index) => turnEvents(index + 1, chunks)).flat()
  await store.append(
    id,
    events.map((event, seq) => ({ ...event, seq, time: createdAt + seq })),
  )
}

interface Context {
  readonly sessionPersistence: Store
  inject(services: readonly string[], mount: (web: WebContext) => void): void
}

interface WebContext {
  readonly webServer: {
    register(route: {
      readonly kind: 'exact'
      readonly path: string
      handler(request: IncomingMessage, response: ServerResponse): Promise<void>
    }): () => void
  }
  effect(start: () => () => void): void
}

/** The host's own read of a stored session and nothing more, over the same web server as ours. */
function serveHostRead(ctx: Context): void {
  ctx.inject(['webServer'], (web) => {
    web.effect(() =>
      web.webServer.register({
        kind: 'exact',
        path: '/bench-host-read',
        async handler(request, response) {
          const id = new URL(request.url ?? '/', 'http://localhost').searchParams.get('id') ?? ''
          const { events } = await ctx.sessionPersistence.inspect(id)
          response.end(JSON.stringify({ events: events.length }))
        },
      }),
    )
  })
}

export const name = 'dsh-mcp-bench-seed'
export const inject = ['sessionPersistence']

export async function apply(ctx: Context): Promise<void> {
  serveHostRead(ctx)
  const sessions = JSON.parse(await readFile(process.env.DSH_MCP_BENCH_SEED!, 'utf8')) as readonly StoredSession[]
  const store = ctx.sessionPersistence
  const present = new Set((await store.list()).map((header) => header.id))
  for (const [index, session] of sessions.entries()) if (!present.has(session.id)) await write(store, session, index)
}
