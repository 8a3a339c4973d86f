import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endpointOf } from '../server/delegate.ts'
import { useScene } from '../server/scene.ts'

const scene = useScene('token-holder')

interface Schema {
  readonly type?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Every number that any tool takes, from what the endpoint itself lists. */
async function numbers(): Promise<readonly { tool: string; argument: string; schema: Schema }[]> {
  const { tools } = await scene.agent.client.listTools()
  return tools.flatMap(({ name, inputSchema }) =>
    Object.entries((inputSchema.properties ?? {}) as Record<string, Schema>)
      .filter(([, { type }]) => type === 'integer' || type === 'number')
      .map(([argument, schema]) => ({ tool: name, argument, schema })),
  )
}

describe('numbers', () => {
  test('every one has a lower and an upper bound, and a value beyond is refused with that one bound', async () => {
    const all = await numbers()
    expect(all.length).toBeGreaterThan(10)
    for (const { tool, argument, schema } of all) {
      const what = `${tool} ${argument}`
      expect(schema.minimum, what).toEqual(expect.any(Number))
      expect(schema.maximum, what).toEqual(expect.any(Number))
      for (const value of [1e308, -1e308, schema.maximum! + 1, schema.minimum! - 1, 0.5, '7', [], {}]) {
        const refusal = await scene.agent.refused(tool, { [argument]: value })
        expect(refusal.code, `${what} ${JSON.stringify(value)}`).toBe('invalid_argument')
        // What follows is what the tool takes.
        const [problems = ''] = refusal.message.split(`. ${tool} takes:`)
        const told = problems.split('; ').filter((part) => part.includes(`${argument}: `))
        expect(told, `${what} ${JSON.stringify(value)}: ${refusal.message}`).toHaveLength(1)
      }
    }
  })
})

test('fifty sessions started at once are fifty sessions, and all come to an end', async () => {
  const folders = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const cwd = join(scene.project, `at-once-${index}`)
      await mkdir(cwd)
      return cwd
    }),
  )
  const started = await Promise.all(
    folders.map((cwd, index) => scene.agent.call('dsh_start_session', { cwd, prompt: `say word-${index}` })),
  )
  expect(new Set(started.map(({ sessionId }) => sessionId)).size).toBe(50)
  const ended = await Promise.all(
    started.map(({ sessionId, messageId }) => scene.agent.call('dsh_wait_session', { sessionId, messageId })),
  )
  expect(ended.map(({ reply }) => reply?.text)).toEqual(folders.map((_, index) => `word-${index}`))
}, 180_000)

test('a subscriber with a million addresses is answered, and costs nobody else anything', async () => {
  const { url, token } = await endpointOf(scene.home.path)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  }
  const post = (resourceSubscriptions: readonly string[], signal: AbortSignal): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      headers,
      signal,
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourcesListChanged: true, resourceSubscriptions },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      }),
    })
  const gone = new AbortController()
  const many = await post(
    Array.from({ length: 1_000_000 }, () => 'd:'),
    gone.signal,
  )
  expect([200, 413]).toContain(many.status)
  const streams = await Promise.all(Array.from({ length: 200 }, () => post(['dsh://status'], gone.signal)))
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  expect((await scene.agent.call('dsh_list_sessions', { limit: 1 }))['total']).toEqual(expect.any(Number))
  gone.abort()
})

test('no id, path or cursor leads to a file', async () => {
  const ids = ['../../etc/passwd', '..', '.', 'a/b', 'a\\b', 'a\0b', '%2e%2e', 'x'.repeat(129), '']
  for (const sessionId of ids) {
    for (const tool of ['dsh_get_session', 'dsh_read_session', 'dsh_fork_session', 'dsh_resume_session']) {
      expect((await scene.agent.refused(tool, { sessionId })).code, `${tool} ${sessionId}`).toBe('invalid_argument')
    }
  }
  const cursor = Buffer.from('["../../etc/passwd",{}]').toString('base64url')
  expect((await scene.agent.refused('dsh_list_sessions', { cursor })).code).toBe('invalid_argument')
  for (const cwd of ['relative', '/no/such/folder', '/etc/passwd', 'file:///etc', '/tmp/\0']) {
    const { code } = await scene.agent.refused('dsh_start_session', { cwd, prompt: 'say no' })
    expect(['invalid_argument', 'directory_not_found'], cwd).toContain(code)
  }
})

test('no answer holds the token or a key of the harness', async () => {
  const { token } = await endpointOf(scene.home.path)
  const { sessionId } = await scene.start('say hello')
  const { tools } = await scene.agent.client.listTools()
  for (const { name, annotations } of tools) {
    if (annotations?.readOnlyHint !== true) continue
    const text = await scene.agent
      .text(name, { sessionId })
      .then((said) => (said.includes('unknown argument') ? scene.agent.text(name) : said))
    expect(text, name).not.toContain(token)
  }
})
