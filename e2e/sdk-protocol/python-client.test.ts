import { spawnSync } from 'node:child_process'
import { hostEnvironment, nodeBinary, startChild, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { pythonClient, publishedServer, smallRuntime, swapTransport } from './programs.ts'

/** Why the Python SDK cannot run here, or `undefined`. `PYTHONPATH` may name its `src` folder. */
function missing(): string | undefined {
  for (const module of ['pydantic', 'deepseek_harness']) {
    const { status, error } = spawnSync('python3', ['-c', `import ${module}`])
    if (error !== undefined) return 'there is no python3'
    if (status !== 0) return `python3 cannot import ${module}`
  }
  return undefined
}

const skipped = missing()

test.for<[string, readonly string[], string, string | undefined]>([
  [
    'a runtime built on this transport',
    [smallRuntime],
    'echo: say hello é😀',
    'the client said {"outcome":"allowed-once"}',
  ],
  ['the published server on this transport', [...swapTransport, publishedServer], 'hello é😀', undefined],
])('the Python client runs against %s', async ([, args, finalResponse, asked], { skip }) => {
  if (skipped !== undefined) skip(skipped)
  await using home = await temporaryHome()
  const env = { ...hostEnvironment(home.path), PYTHONPATH: process.env.PYTHONPATH }
  await using client = startChild('python3', [pythonClient, nodeBinary, args.join('\n'), home.path], { env, input: '' })
  const { code } = await client.exited
  if (code !== 0) throw new Error(`exit ${code}\n${client.stderr()}`)
  expect(JSON.parse(client.stdout())).toMatchObject({
    finalResponse,
    finishReason: 'completed',
    unknownMethod: ['JsonRpcError', expect.stringContaining('unknown DeepSeek Harness SDK runtime method')],
    ...(asked !== undefined && { asked }),
  })
})
