import { describe, expect, test } from 'vitest'
import { tool } from '../tools/test-connections.ts'
import { answerOf, brokerBench, mailBench, type BrokerBench } from './test-broker.ts'

const search = async ({ call }: BrokerBench, args: object = {}) =>
  answerOf(await call('mcp_search_tools', JSON.parse(JSON.stringify(args)))) as {
    total: number
    note?: string
    matches: { name: string; score: number; description: string }[]
  }

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

  test('finds tools by the title of their server', async () => {
    const bench = await brokerBench()
    bench.servers.add('kb', { title: 'Confluence' }).list([tool('page_get'), tool('page_put')])
    bench.servers.add('other').list([tool('page_get')])
    bench.broker.switchTo(true)
    const { matches } = await search(bench, { query: 'confluence' })
    expect(matches.map(({ name }) => name).toSorted()).toEqual(['mcp__kb__page_get', 'mcp__kb__page_put'])
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
