import { DeepSeekHarness } from '@openma/deepseek-harness-sdk'
import { nodeBinary, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { publishedServer, smallRuntime, swapTransport } from './programs.ts'

test.each([
  ['a runtime built on this transport', [smallRuntime], 'echo: say hello'],
  ['the published server on this transport', [...swapTransport, publishedServer], 'hello'],
])('the independent client runs against %s', async (_name, args, answer) => {
  await using home = await temporaryHome()
  await using harness = new DeepSeekHarness({
    launchArgsOverride: [nodeBinary, ...args],
    runtimeCwd: home.path,
    cwd: home.path,
    env: { DSH_HOME: home.path },
    provider: 'scripted',
    model: 'scripted',
  })
  const first = await harness.run('say hello', { sessionId: 'a' })
  expect(first).toMatchObject({ sessionId: 'a', finalResponse: answer, finishReason: 'completed' })
  const [second, third] = await Promise.all([
    harness.run('say hello', { sessionId: 'b' }),
    harness.run('say hello', { sessionId: 'c' }),
  ])
  expect([second.finalResponse, third.finalResponse]).toEqual([answer, answer])
})
