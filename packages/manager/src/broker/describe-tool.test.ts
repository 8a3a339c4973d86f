import { describe, expect, test } from 'vitest'
import { tool } from '../tools/test-connections.ts'
import { answerOf, mailBench } from './test-broker.ts'

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
