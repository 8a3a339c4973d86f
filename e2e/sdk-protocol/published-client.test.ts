import { hostEnvironment, nodeBinary, startChild, temporaryHome } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { publishedClient, publishedServer, smallRuntime, swapTransport } from './programs.ts'

interface Seen {
  readonly output: Record<string, unknown>
  readonly stderr: string
}

/** Runs the published client's program against a runtime; each of the two may have our transport in it. */
async function drive(runtime: string, swapped: { client: boolean; runtime: boolean }): Promise<Seen> {
  await using home = await temporaryHome()
  const launch = {
    command: nodeBinary,
    args: [...(swapped.runtime ? swapTransport : []), runtime],
    cwd: home.path,
  }
  const args = [...(swapped.client ? swapTransport : []), publishedClient, JSON.stringify(launch)]
  await using client = startChild(nodeBinary, args, { env: hostEnvironment(home.path), input: '' })
  const { code } = await client.exited
  if (code !== 0) throw new Error(`the client's program exited ${code}\n${client.stdout()}\n${client.stderr()}`)
  return { output: JSON.parse(client.stdout()) as Record<string, unknown>, stderr: client.stderr() }
}

test('the published client runs against a runtime that is built on this transport alone', async () => {
  const { output } = await drive(smallRuntime, { client: false, runtime: false })
  expect(output).toMatchObject({
    run: {
      finalResponse: 'echo: say one',
      types: ['agent/inbox/spliced', 'turn/start', 'assistant/message', 'turn/end'],
      methods: ['session.event', 'session.status'],
    },
    parallel: [
      ['b', 'echo: say b'],
      ['c', 'echo: say c'],
      ['d', 'echo: say d'],
    ],
    again: 'echo: say two',
    initialize: { serverInfo: { name: 'deepseek-harness-sdk-runtime', version: '0.0.1' } },
    unknownMethod: {
      name: 'JsonRpcResponseError',
      code: -32603,
      message: 'unknown DeepSeek Harness SDK runtime method: no/such/method',
    },
    timeout: { name: 'RequestTimeoutError' },
    afterClose: { name: 'TransportClosedError' },
  })
})

describe('with this transport in the place of the published one', () => {
  test('client and server behave as before, on either side and on both', async () => {
    const before = await drive(publishedServer, { client: false, runtime: false })
    expect(before.stderr).not.toContain('transport under test')
    expect(before.output).toMatchObject({
      run: { finalResponse: 'one' },
      unknownMethod: { code: -32603 },
      spawnFailure: { name: 'TransportClosedError', message: expect.stringContaining('ENOENT') },
      exitAtOnce: { name: 'TransportClosedError', message: expect.stringContaining('exit code: 3') },
    })

    const client = await drive(publishedServer, { client: true, runtime: false })
    expect(client.stderr).toContain('transport under test imported by dsh-sdk-client')
    expect(client.output).toEqual(before.output)

    const both = await drive(publishedServer, { client: true, runtime: true })
    expect(both.output).toEqual(before.output)
  }, 180_000)
})
