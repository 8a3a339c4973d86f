import { describe, expect, test } from 'vitest'
import { tool } from '../tools/test-connections.ts'
import { brokerBench, mailBench } from './test-broker.ts'

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
