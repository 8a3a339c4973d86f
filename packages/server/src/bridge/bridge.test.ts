import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, isAlive, nodeBinary, startChild } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { serve } from '../fixture/serve.ts'
import { fixtureTools } from '../fixture/tools.ts'

const program = join(import.meta.dirname, 'main.ts')

interface Message {
  readonly id?: unknown
  readonly method?: string
  readonly result?: { readonly content?: readonly { readonly text: string }[] }
  readonly error?: { readonly code: number; readonly message: string }
}

/** A bridge process with its own home, and what it has written so far. */
async function startBridge(record?: object, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const home = await mkdtemp(join(tmpdir(), 'dsh-mcp-bridge-'))
  const file = join(home, 'mcp', 'dsh-mcp-endpoint.json')
  const publish = async (content: unknown) => {
    await mkdir(join(home, 'mcp'), { recursive: true })
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  if (record !== undefined) await publish(record)
  const child = startChild(nodeBinary, [program, ...args], {
    cwd: home,
    env: { ...process.env, ...env, DSH_HOME: home },
  })
  const messages = (): Message[] =>
    child
      .stdout()
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Message)
  return {
    file,
    child,
    messages,
    publish,
    send: (message: unknown) => {
      child.process.stdin!.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
    },
    answer: (id: unknown) => eventually(`an answer to ${String(id)}`, () => messages().find((one) => one.id === id)),
    async [Symbol.asyncDispose]() {
      await child.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function listen(listener: RequestListener, port = 0) {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const call = (id: unknown, name: string, args: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args },
})

const envelope = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'Klient größer', version: '1' },
  },
}

test('carries requests of both eras, and notifications without a word back', async () => {
  await using served = await serve()
  await using bridge = await startBridge({ url: served.url, token: served.token })
  const initialize = { protocolVersion: '2025-11-25', clientInfo: { name: 'Old', version: '1' }, capabilities: {} }
  bridge.send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize })
  expect(await bridge.answer(0)).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
  bridge.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  bridge.send(call('legacy', 'caller'))
  expect((await bridge.answer('legacy')).result?.content?.[0]?.text).toBe(
    '{"admittedBy":"token","client":"Old","era":"legacy"}',
  )
  bridge.send({ jsonrpc: '2.0', id: 'd', method: 'server/discover', params: envelope })
  expect(await bridge.answer('d')).toMatchObject({ result: { supportedVersions: ['2026-07-28'] } })
  bridge.send({ ...call('modern', 'caller'), params: { name: 'caller', ...envelope } })
  expect((await bridge.answer('modern')).result?.content?.[0]?.text).toBe(
    '{"admittedBy":"token","client":"Klient größer","era":"2026-07-28"}',
  )
  bridge.send({ jsonrpc: '2.0', id: 'r', method: 'resources/read', params: { uri: 'fixture://ünknown', ...envelope } })
  expect(await bridge.answer('r')).toMatchObject({ error: { code: -32602 } })
  expect(bridge.messages()).toHaveLength(5)
})

test('answers of concurrent requests come as they are ready', async () => {
  await using served = await serve()
  await using bridge = await startBridge({ url: served.url, token: served.token })
  bridge.send(call('slow', 'wait', { ms: 1500 }))
  for (let id = 0; id < 50; id++) bridge.send(call(id, 'echo', { id }))
  await bridge.answer('slow')
  expect(bridge.messages()).toHaveLength(51)
  expect(bridge.messages().at(-1)?.id).toBe('slow')
})

test('reads a reply that became an event stream', async () => {
  await using served = await serve({ timing: { streamAfterMs: 50, keepAliveMs: 50 } })
  await using bridge = await startBridge({ url: served.url, token: served.token })
  bridge.send(call(1, 'wait', { ms: 400 }))
  expect((await bridge.answer(1)).result?.content?.[0]?.text).toBe('waited 400 ms')
  expect(bridge.messages()).toHaveLength(1)
})

test('a cancelled request is given up, unanswered, and its waiting tool with it', async () => {
  let ended = false
  const hang = (_: unknown, { signal }: { signal: AbortSignal }) =>
    new Promise<string>((resolve) => {
      signal.addEventListener('abort', () => {
        ended = true
        resolve('')
      })
    })
  let started = false
  await using served = await serve({
    tools: fixtureTools({ hang: (args, context) => ((started = true), hang(args, context)) }),
  })
  await using bridge = await startBridge({ url: served.url, token: served.token })
  bridge.send(call(7, 'hang'))
  await eventually('the tool runs', () => started)
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: '7' } })
  bridge.send(call('after', 'echo'))
  await bridge.answer('after')
  expect(ended).toBe(false)
  bridge.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } })
  await eventually('the tool was told', () => ended)
  expect(bridge.messages().map(({ id }) => id)).toEqual(['after'])
})

test('says where it looked, and finds a harness that starts later, moves and changes its token', async () => {
  await using bridge = await startBridge()
  bridge.send(call(1, 'echo'))
  const nowhere = (await bridge.answer(1)).error
  expect(nowhere?.code).toBe(-32000)
  expect(nowhere?.message).toContain(bridge.file)
  expect(nowhere?.message).toContain('dsh web')

  await bridge.publish('{"url":')
  bridge.send(call(2, 'echo'))
  expect((await bridge.answer(2)).error?.message).toContain('damaged')

  {
    await using served = await serve()
    await bridge.publish({ url: served.url, token: 'old' })
    bridge.send(call(3, 'echo'))
    expect((await bridge.answer(3)).error).toMatchObject({ code: -32000, message: expect.stringContaining('token') })
    await bridge.publish({ url: served.url, token: served.token })
    bridge.send(call(4, 'echo'))
    expect((await bridge.answer(4)).result).toBeDefined()
  }
  bridge.send(call(5, 'echo'))
  expect((await bridge.answer(5)).error?.message).toContain('ECONNREFUSED')

  await using moved = await serve()
  await bridge.publish({ url: moved.url, token: moved.token })
  bridge.send(call(6, 'echo'))
  expect((await bridge.answer(6)).result).toBeDefined()
})

const answers = 'Start the harness'
/** Nobody can tell whether the request had been carried out. */
const breaks = 'look before you ask again'

test.each([
  ['a page', answers, (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html></html>')],
  ['405 without a message', answers, (response) => response.writeHead(405).end()],
  [
    'JSON that is no message',
    answers,
    (response) => response.writeHead(500, { 'content-type': 'application/json' }).end('{}'),
  ],
  ['a connection that breaks', breaks, (response) => void response.destroy()],
  [
    'half an answer',
    breaks,
    (response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': 99 })
        .write('{"jsonrpc"', () => response.destroy()),
  ],
  [
    'a stream without an answer',
    breaks,
    (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': hello\n\n'),
  ],
] satisfies [string, string, (response: Parameters<RequestListener>[1]) => unknown][])(
  'a request that meets %s is answered -32000: %s',
  async (_, says, respond) => {
    await using server = await listen((_, response) => respond(response))
    await using bridge = await startBridge({ url: server.url, token: 't' })
    bridge.send(call('x', 'echo'))
    expect((await bridge.answer('x')).error).toMatchObject({ code: -32000, message: expect.stringContaining(says) })
    bridge.send({ jsonrpc: '2.0', method: 'notifications/progress' })
    bridge.send(call('y', 'echo'))
    await bridge.answer('y')
    expect(bridge.messages()).toHaveLength(2)
  },
)

test('an error without an id gets the id of the request that caused it, and one line stays one line', async () => {
  await using server = await listen((_, response) => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'two\nlines' } }
    response.writeHead(413, { 'content-type': 'application/json' }).end(JSON.stringify(error, null, 2))
  })
  await using bridge = await startBridge({ url: server.url, token: 't' })
  bridge.send(call('big', 'echo'))
  expect((await bridge.answer('big')).error).toEqual({ code: -32700, message: 'two\nlines' })
})

test('lines that are no message are answered and do not disturb the next', async () => {
  await using served = await serve()
  await using bridge = await startBridge({ url: served.url, token: served.token })
  bridge.send('\r\n   ')
  bridge.send('nonsense')
  bridge.send([])
  bridge.send({ jsonrpc: '2.0', id: 'm' })
  bridge.send(`${JSON.stringify(call('ok', 'echo', { text: 'é\u2028' }))}\r`)
  expect((await bridge.answer('ok')).result?.content?.[0]?.text).toBe('{"text":"é\u2028"}')
  const others = await eventually('three errors', () => {
    const errors = bridge.messages().filter(({ error }) => error !== undefined)
    return errors.length === 3 && errors
  })
  expect(others.map(({ error }) => error?.code).sort()).toEqual([-32600, -32600, -32700])
})

test('ends with its input, after the answers that are due', async () => {
  await using served = await serve()
  await using bridge = await startBridge({ url: served.url, token: served.token })
  bridge.child.process.stdin!.end(`${JSON.stringify(call(1, 'wait', { ms: 200 }))}\n${JSON.stringify(call(2, 'echo'))}`)
  expect((await bridge.child.exited).code).toBe(0)
  expect(bridge.messages().map(({ id }) => id)).toEqual([2, 1])
})

test('ends with its input even when a call would take hours', async () => {
  await using served = await serve()
  await using bridge = await startBridge({ url: served.url, token: served.token })
  bridge.child.process.stdin!.end(JSON.stringify(call(1, 'wait', { ms: 3_600_000 })))
  expect((await bridge.child.exited).code).toBe(0)
  expect(bridge.child.stdout()).toBe('')
})

test('--url takes the token from the environment, else from the endpoint file', async () => {
  await using served = await serve()
  {
    await using bridge = await startBridge(undefined, ['--url', served.url], { DSH_MCP_TOKEN: served.token })
    bridge.send(call(1, 'echo'))
    expect((await bridge.answer(1)).result).toBeDefined()
  }
  await using bridge = await startBridge({ url: 'http://127.0.0.1:1/mcp', token: served.token }, [
    `--url=${served.url}`,
  ])
  bridge.send(call(1, 'echo'))
  expect((await bridge.answer(1)).result).toBeDefined()
})

test.each([
  [['--help'], 0, /Usage: dsh-mcp-stdio/, /^$/],
  [['--version'], 0, /^\d+\.\d+\.\d+/, /^$/],
  [['--nonsense'], 2, /^$/, /unknown argument --nonsense/],
  [['--url'], 2, /^$/, /--url needs a value/],
  [['--url', 'ftp://x'], 2, /^$/, /http or https/],
  [['--url', 'http://x', '--endpoint', 'y'], 2, /^$/, /exclude each other/],
])('%j exits %d', async (args, code, stdout, stderr) => {
  await using child = startChild(nodeBinary, [program, ...args], { input: '' })
  expect((await child.exited).code).toBe(code)
  expect(child.stdout()).toMatch(stdout)
  expect(child.stderr()).toMatch(stderr)
})

test('ends when the process that started it is gone, even though its input stays open', async ({ skip }) => {
  skip(process.platform === 'win32', 'needs a POSIX shell')
  await using served = await serve()
  // The shell starts the bridge behind a pipe that another process holds open, and ends once the bridge has answered.
  const command = `{ echo "$3"; sleep 300; } 2>/dev/null | "$0" "$1" --url "$2" 2>/dev/null & echo "pid $!"; read -r _`
  await using shell = startChild('sh', [
    '-c',
    command,
    nodeBinary,
    program,
    served.url,
    JSON.stringify(call(1, 'echo')),
  ])
  const [, pid] = await shell.waitForOutput(/pid (\d+)/)
  await shell.waitForOutput(/"id":1/)
  shell.process.stdin?.end('\n')
  expect(isAlive(Number(pid))).toBe(true)
  await eventually('the bridge ends', () => !isAlive(Number(pid)))
})
