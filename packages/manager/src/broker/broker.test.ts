import { describe, expect, test } from 'vitest'
import { tool } from '../tools/test-connections.ts'
import { answerOf, brokerBench, type BrokerBench } from './test-broker.ts'
import { HOST_SHAPES } from './test-host.ts'

const BROKER = ['mcp_describe_tool', 'mcp_execute_tool', 'mcp_search_tools']

async function mailBench(shape?: (typeof HOST_SHAPES)[number]): Promise<BrokerBench> {
  const bench = await brokerBench(shape)
  const mail = bench.servers.add('mail')
  mail.answer = (name, args) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(args)}` }] })
  mail.list([
    tool('send', { description: 'Send an email to somebody', title: 'Send mail' }),
    tool('list', { description: 'List the messages of a folder' }),
  ])
  return bench
}

const search = async ({ call }: BrokerBench, args: object = {}) =>
  answerOf(await call('mcp_search_tools', JSON.parse(JSON.stringify(args)))) as {
    total: number
    note?: string
    matches: { name: string; score: number; description: string }[]
  }

describe.each(HOST_SHAPES)('on the shape of %s', (shape) => {
  test('off: agents see the MCP tools and no broker', async () => {
    const { request } = await mailBench(shape)
    expect(await request()).toEqual(['mcp__mail__list', 'mcp__mail__send'])
  })

  test('on: agents see the three tools and no MCP tool, from the next request on; off again, all come back', async () => {
    const { request, broker, servers, registry } = await mailBench(shape)
    broker.switchTo(true)
    expect(await request()).toEqual(BROKER)
    expect(await request({ id: 'agent' })).toEqual(BROKER)
    servers.add('late').list([tool('appear')])
    expect(await request()).toEqual(BROKER)
    expect(registry.get('mcp__late__appear')).toBeDefined()
    broker.switchTo(false)
    expect(await request()).toEqual(['mcp__late__appear', 'mcp__mail__list', 'mcp__mail__send'])
  })

  test('a hidden tool is refused when called directly or nested elsewhere, and runs through mcp_execute_tool', async () => {
    const { call, broker } = await mailBench(shape)
    broker.switchTo(true)
    const agent = { id: 'agent' }
    for (const options of [{}, { agent }, { agent, parent: Symbol('another execution') }]) {
      expect(await call('mcp__mail__send', { q: 'x' }, options)).toMatchObject({
        isError: true,
        error: { message: expect.stringContaining('mcp_execute_tool: {"name": "mcp__mail__send"') },
      })
    }
    const outcome = await call('mcp_execute_tool', { name: 'mcp__mail__send', arguments: { q: 'x' } }, { agent })
    expect(outcome).toMatchObject({
      isError: false,
      content: [{ type: 'text', text: 'send {"q":"x"}' }],
      value: { content: [{ type: 'text', text: 'send {"q":"x"}' }] },
    })
    // the permission ends with the execution
    expect(await call('mcp__mail__send', {}, { agent })).toMatchObject({ isError: true })
    broker.switchTo(false)
    expect(await call('mcp__mail__send', {}, { agent })).toMatchObject({ isError: false })
  })

  test.each([
    ['run_code in the registry and in the prompt', { byRegistry: true, byPrompt: true }],
    ['run_code with a prompt that says nothing of it', { byRegistry: true, byPrompt: false }],
    ['a prompt for programs and a registry that hides run_code', { byRegistry: false, byPrompt: true }],
  ])('an agent with %s keeps its MCP tools', async (_case, told) => {
    const { request, call, broker, program } = await mailBench(shape)
    const agent = { id: 'programmer' }
    program(agent, told)
    broker.switchTo(true)
    const seen = await request(agent)
    // where only the flag hides, native schemas leave the request for everybody; what programs see is not made of them
    if (shape !== '0.2.2') expect(seen).toContain('mcp__mail__send')
    expect(await call('mcp__mail__send', {}, { agent, parent: Symbol('run_code') })).toMatchObject({ isError: false })
    expect(await request({ id: 'other' })).toEqual(BROKER)
    expect(await call('mcp__mail__send', {}, { agent: { id: 'other' }, parent: Symbol('run_code') })).toMatchObject({
      isError: true,
    })
  })

  test('another tool of the same name, and tools of others, stay in the request', async () => {
    const { request, broker, registry } = await mailBench(shape)
    registry.register({
      name: 'mcp__other__tool',
      description: 'Not ours',
      parameters: { type: 'object' },
      output: { schema: {}, render: () => [] },
      execute: () => Promise.resolve(null),
    })
    broker.switchTo(true)
    expect(await request()).toEqual([...BROKER, 'mcp__other__tool'].toSorted())
  })
})

test('flags the tools only on hosts that pass the flag on', async () => {
  for (const shape of HOST_SHAPES) {
    const { registry, broker, request } = await mailBench(shape)
    const before = registry.get('mcp__mail__send')
    broker.switchTo(true)
    const defers = shape !== '0.1.0' && shape !== '0.1.5'
    expect(registry.get('mcp__mail__send')?.deferLoading).toBe(defers ? true : undefined)
    expect(registry.get('mcp__mail__send') === before).toBe(!defers)
    broker.switchTo(false)
    expect(registry.get('mcp__mail__send')).toBe(before)
    expect(await request()).not.toContain('mcp_defer_loading_probe')
  }
})

test('a tool name that is taken leaves everything as it was, and says so', async () => {
  const { registry, broker, request, reports } = await mailBench()
  registry.register({
    name: 'mcp_execute_tool',
    description: 'Somebody else',
    parameters: { type: 'object' },
    output: { schema: {}, render: () => [] },
    execute: () => Promise.resolve(null),
  })
  broker.switchTo(true)
  expect(await request()).toEqual(['mcp__mail__list', 'mcp__mail__send', 'mcp_execute_tool'])
  expect(reports).toEqual([expect.stringContaining('MCP tools stay in every request: tool "mcp_execute_tool"')])
})

describe('mcp_search_tools', () => {
  test('answers with query, total and matches', async () => {
    const bench = await mailBench()
    bench.broker.switchTo(true)
    const answer = await search(bench, { query: '发邮件', limit: 1 })
    expect(answer).toEqual({
      query: '发邮件',
      total: expect.any(Number),
      matches: [
        {
          name: 'mcp__mail__send',
          server: 'mail',
          tool: 'send',
          description: 'Send an email to somebody',
          score: expect.any(Number),
        },
      ],
    })
    expect(await search(bench, { server: 'MAIL' })).toMatchObject({ query: '', total: 2 })
  })

  test.each([
    [undefined, 10],
    [0, 1],
    [-3, 1],
    [2.9, 2],
    [50, 50],
    [1000, 50],
    [null, 10],
  ])('limit %j gives %i', async (limit, expected) => {
    const bench = await brokerBench()
    bench.servers.add('many').list(Array.from({ length: 60 }, (_, at) => tool(`tool_${at}`)))
    bench.broker.switchTo(true)
    const answer = await search(bench, { limit })
    expect([answer.total, answer.matches.length]).toEqual([60, expected])
  })

  test('clips descriptions to one line of 300 characters', async () => {
    const bench = await brokerBench()
    bench.servers.add('long').list([tool('talk', { description: `first\n\n${'word '.repeat(200)}` })])
    bench.broker.switchTo(true)
    const [match] = (await search(bench)).matches
    expect(match!.description).toHaveLength(300)
    expect(match!.description).toMatch(/^first word word .*…$/)
  })

  test('follows lists as they change', async () => {
    const bench = await mailBench()
    bench.broker.switchTo(true)
    expect((await search(bench, { query: 'archive' })).total).toBe(0)
    const files = bench.servers.add('files')
    files.list([tool('pack', { description: 'Archive a folder' })])
    expect((await search(bench, { query: 'archive' })).matches[0]?.name).toBe('mcp__files__pack')
    files.list([tool('pack', { description: 'Compress a folder' })])
    expect((await search(bench, { query: 'archive' })).matches[0]?.description).toBe('Compress a folder')
    bench.servers.remove(files)
    expect((await search(bench, { query: 'pack' })).total).toBe(0)
  })

  test('does not find a tool that is switched off, and nothing may call it', async () => {
    const bench = await mailBench()
    bench.broker.switchTo(true)
    const other = bench.servers.add('disk')
    other.edit({ disabledTools: ['erase'] })
    other.list([tool('erase', { description: 'Erase a disk' }), tool('mount', { description: 'Mount a disk' })])
    const answer = await search(bench, { query: 'erase disk' })
    expect(answer.matches.map(({ name }) => name)).toEqual(['mcp__disk__mount'])
    for (const broken of ['mcp_describe_tool', 'mcp_execute_tool']) {
      expect(await bench.call(broken, { name: 'mcp__disk__erase' })).toMatchObject({
        isError: true,
        error: { message: expect.stringContaining('"mcp__disk__erase" is not visible in this session') },
      })
    }
  })

  test.each([
    [[], /No MCP server is set up/],
    [[{ name: 'a', state: 'disabled' }], /All MCP servers are switched off: a \(disabled\)/],
    [[{ name: 'a', state: 'needs-auth' }], /No MCP server is connected: a \(needs-auth\)/],
    [[{ name: 'a', state: 'connected' }], /offer no tool to this session: a \(connected\)/],
  ])('says why there is nothing to find: %j', async (states, note) => {
    const bench = await brokerBench()
    bench.states = states
    bench.broker.switchTo(true)
    const answer = await search(bench, { query: 'mail' })
    expect(answer).toMatchObject({ total: 0, matches: [], note: expect.stringMatching(note) })
  })

  test('says what to try when nothing matches', async () => {
    const bench = await mailBench()
    bench.states = [
      { name: 'mail', state: 'connected' },
      { name: 'disk', state: 'error' },
    ]
    bench.broker.switchTo(true)
    expect((await search(bench, { query: 'xylophone' })).note).toBe(
      'Nothing matches "xylophone". Use fewer or other words, or leave out query to list all tools. Servers: mail.',
    )
    expect((await search(bench, { query: 'xylophone', server: 'mail' })).note).toContain('Server mail.')
    expect((await search(bench, { server: 'disk' })).note).toBe(
      'No visible tool (error) of MCP server "disk". Servers with tools: mail.',
    )
    expect((await search(bench, { server: 'nope' })).note).toBe(
      'There is no MCP server "nope". Servers with tools: mail.',
    )
  })

  test('refuses a wrong input by name of the member', async () => {
    const bench = await mailBench()
    bench.broker.switchTo(true)
    expect(await bench.call('mcp_search_tools', { limit: 'many' })).toMatchObject({
      isError: true,
      error: { message: expect.stringMatching(/^mcp_search_tools got a wrong input: "limit": /) },
    })
  })
})

describe('mcp_describe_tool', () => {
  test('shows the whole description and the input schema', async () => {
    const { call, broker } = await mailBench()
    broker.switchTo(true)
    expect(answerOf(await call('mcp_describe_tool', { name: 'mcp__mail__send' }))).toEqual({
      name: 'mcp__mail__send',
      server: 'mail',
      tool: 'send',
      description: 'Send an email to somebody',
      inputSchema: { type: 'object', properties: { q: { type: 'string' } } },
    })
  })

  test('understands the server’s own name where it is clear', async () => {
    const bench = await mailBench()
    bench.servers.add('post').list([tool('send')])
    bench.broker.switchTo(true)
    const { call } = bench
    expect(answerOf(await call('mcp_describe_tool', { name: 'list' }))).toMatchObject({ name: 'mcp__mail__list' })
    expect(answerOf(await call('mcp_describe_tool', { name: 'post.send' }))).toMatchObject({
      name: 'mcp__post__send',
    })
    expect(await call('mcp_describe_tool', { name: 'send' })).toMatchObject({
      error: { message: '"send" may be one of mcp__mail__send, mcp__post__send. Use the whole name.' },
    })
  })

  test('names what is near when there is no such tool', async () => {
    const { call, broker } = await mailBench()
    broker.switchTo(true)
    expect(await call('mcp_describe_tool', { name: 'mcp__mail__sned' })).toMatchObject({
      isError: true,
      error: {
        message: expect.stringMatching(
          /^MCP tool "mcp__mail__sned" is not visible in this session\. Near: mcp__mail__send/,
        ),
      },
    })
    expect(await call('mcp_describe_tool', {})).toMatchObject({
      error: { message: expect.stringContaining('"name"') },
    })
  })
})

describe('mcp_execute_tool', () => {
  test('passes an error on with its text and kind', async () => {
    const bench = await mailBench()
    bench.broker.switchTo(true)
    bench.servers.add('bad').list([tool('fail')])
    const failing = bench.servers.connections.get('id-bad')!
    Object.assign(failing, {
      callTool: () => Promise.resolve({ isError: true, content: [{ type: 'text', text: 'the disk is full' }] }),
    })
    expect(await bench.call('mcp_execute_tool', { name: 'mcp__bad__fail' })).toMatchObject({
      isError: true,
      error: { message: 'the disk is full' },
      content: [{ type: 'text', text: 'Error: the disk is full' }],
    })
    const info = { name: 'TimeoutError', code: 'TIMEOUT' }
    bench.context.on('tools/execute', async (execution, next) =>
      execution.name === 'mcp__bad__fail'
        ? { isError: true, error: { message: 'too slow', info }, content: [{ type: 'text', text: 'Error: too slow' }] }
        : next(),
    )
    expect(await bench.call('mcp_execute_tool', { name: 'mcp__bad__fail' })).toMatchObject({
      isError: true,
      error: { message: 'too slow', info },
    })
  })

  test('shows an image of the called tool as the host stored it, and to programs as text', async () => {
    const attachment = { attachmentId: 'sha256:1', mediaType: 'image/png' }
    const bench = await brokerBench('0.1.0', (name) =>
      name === 'attachments'
        ? { saveImages: (images: readonly unknown[]) => Promise.resolve(images.map(() => attachment)) }
        : { resolveModelInfo: () => Promise.resolve({ inputModalities: ['text', 'image'] }) },
    )
    const camera = bench.servers.add('camera')
    camera.list([tool('shoot')])
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex').toString('base64')
    camera.answer = () => ({
      content: [
        { type: 'text', text: 'snap' },
        { type: 'image', mimeType: 'image/png', data: png },
      ],
    })
    bench.broker.switchTo(true)
    const agent = { id: 'a', session: {}, options: { provider: 'p', model: 'm' } }
    expect(await bench.call('mcp_execute_tool', { name: 'mcp__camera__shoot' }, { agent })).toMatchObject({
      isError: false,
      content: [
        { type: 'text', text: 'snap' },
        { type: 'image', attachment },
      ],
      value: {
        content: [
          { type: 'text', text: 'snap' },
          { type: 'text', text: '[image image/png]' },
        ],
      },
    })
  })

  test('takes arguments as JSON text too, and none at all', async () => {
    const { call, broker } = await mailBench()
    broker.switchTo(true)
    const texts = async (args: unknown) => (await call('mcp_execute_tool', args)).content
    expect(await texts({ name: 'mcp__mail__send', arguments: '{"q":"x"}' })).toEqual([
      { type: 'text', text: 'send {"q":"x"}' },
    ])
    expect(await texts({ name: 'mcp__mail__send' })).toEqual([{ type: 'text', text: 'send {}' }])
    expect(await call('mcp_execute_tool', { name: 'mcp__mail__send', arguments: '[1' })).toMatchObject({
      isError: true,
      error: { message: expect.stringContaining('"arguments"') },
    })
  })

  test('is cancelled with its call', async () => {
    const bench = await mailBench()
    const slow = bench.servers.add('slow')
    slow.list([tool('wait')])
    bench.broker.switchTo(true)
    const controller = new AbortController()
    Object.assign(slow.connection, {
      callTool: (_name: string, _args: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')))
          controller.abort()
        }),
    })
    const outcome = await bench.registry.execute({
      callId: 'call',
      name: 'mcp_execute_tool',
      arguments: { name: 'mcp__slow__wait' },
      signal: controller.signal,
    })
    expect(outcome.isError).toBe(true)
  })

  test('runs at the same time as others only where the called tool may', async () => {
    const bench = await mailBench()
    bench.servers.add('files').list([tool('read_file'), tool('write_file')])
    bench.broker.switchTo(true)
    const safe = (name: string) => bench.registry.get('mcp_execute_tool')!.isConcurrencySafe!({ name, arguments: {} })
    expect([safe('mcp__files__read_file'), safe('mcp__files__write_file'), safe('nothing')]).toEqual([
      true,
      false,
      false,
    ])
  })
})
