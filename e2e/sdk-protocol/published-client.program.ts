import { DeepSeekHarness, HarnessClient } from '@deepseek-ai/dsh-sdk-client'

/**
 * `published-client.program.ts <launch as JSON>`: drives a runtime with the published client through everything that the
 * client offers, and prints what it saw, without what differs from run to run (ids, times).
 */
const launch = JSON.parse(process.argv[2]!) as { command: string; args: string[]; cwd: string }
const route = { provider: 'scripted', model: 'scripted' }

async function failureOf(work: () => Promise<unknown>): Promise<object> {
  try {
    return { result: await work() }
  } catch (error) {
    const { name, message, code } = error as Error & { code?: number }
    return { name, code, message: message.split('\nstderr tail')[0] }
  }
}

const seen: Record<string, unknown> = {}
{
  await using harness = new DeepSeekHarness({ launch, cwd: launch.cwd, ...route })
  const { finalResponse, events, notifications } = await harness.run('say one', { sessionId: 'a' })
  const types = events.map(({ type }) => type).filter((type) => type !== 'assistant/chunk')
  seen.run = { finalResponse, types, methods: [...new Set(notifications.map(({ method }) => method))].toSorted() }
  const parallel = await Promise.all(['b', 'c', 'd'].map((id) => harness.run(`say ${id}`, { sessionId: id })))
  seen.parallel = parallel.map((result) => [result.sessionId, result.finalResponse])
  const again = await harness.session('a').run([{ type: 'text', text: 'say two' }])
  seen.again = again.finalResponse
  seen.unknownMethod = await failureOf(() => harness.client.request('no/such/method'))
  seen.badParams = await failureOf(() => harness.client.request('session/prompt', { contentBlocks: [] }))
}
{
  const client = new HarnessClient({ ...launch, requestTimeoutMs: 30_000 })
  client.start()
  seen.initialize = await client.initialize({ cwd: launch.cwd, ...route })
  await client.close()
  seen.afterClose = await failureOf(() => client.request('initialize', {}))
}
{
  const deaf = 'process.stdin.resume().on("end", () => process.exit(0))'
  const client = new HarnessClient({ command: process.execPath, args: ['-e', deaf], shutdownTimeoutMs: 50 })
  seen.timeout = await failureOf(() => client.request('initialize', {}, 50))
  await client.close()
}
{
  const client = new HarnessClient({ command: '/does/not/exist', args: [] })
  seen.spawnFailure = await failureOf(() => client.initialize({ cwd: '/', ...route }))
  await failureOf(() => client.close())
}
{
  const client = new HarnessClient({ command: process.execPath, args: ['-e', 'process.exit(3)'] })
  seen.exitAtOnce = await failureOf(() => client.initialize({ cwd: '/', ...route }))
  await failureOf(() => client.close())
}
console.log(JSON.stringify(seen))
