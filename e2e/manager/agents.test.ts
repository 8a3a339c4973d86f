import { configPatch, modelRequests, runHeadless, startEverything, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { declareGlobal } from '../workspaces/scene.ts'

const vision = configPatch('agent-default-model', { provider: 'scripted', model: 'scripted-vision' })
const full = { DSH_MCP_TEST_RECORD: 'full' }

/** Content blocks of a kind anywhere in what the model was sent. */
function blocks(value: unknown, type: string): unknown[] {
  if (Array.isArray(value)) return value.flatMap((item) => blocks(item, type))
  if (typeof value !== 'object' || value === null) return []
  const own = 'type' in value && value.type === type ? [value] : []
  return [...own, ...Object.values(value).flatMap((item) => blocks(item, type))]
}

const task = [
  'call mcp__peer__get-tiny-image {}',
  'call mcp__peer__get-structured-content {"location":"New York"}',
  'call mcp__peer__get-resource-reference {"resourceType":"Text","resourceId":1}',
  'call mcp__peer__get-resource-links {"count":2}',
  'call mcp__peer__get-sum {"a":"no number","b":1}',
].join('\n')

test('a native agent with a model that sees gets the image itself, and readable lines for everything else', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  await declareGlobal(home.path, { peer: { type: 'http', url: peer.url, authMode: 'none' } })
  const run = await runHeadless({ home: home.path, plugins: ['manager'], task, patches: [vision], env: full })
  expect(run.code, run.stderr).toBe(0)
  const requests = await modelRequests(home.path)
  const seen = requests.at(-1)?.messages
  const images = blocks(seen, 'image')
  expect(images).toMatchObject([
    { type: 'image', attachment: { mediaType: 'image/png', attachmentId: expect.any(String) } },
  ])
  const results = JSON.stringify(blocks(seen, 'tool-result'))
  expect(results).toContain('The image above is the MCP logo')
  expect(results).toContain('Resource link: ')
  expect(results).toMatch(/\[resource [a-z]+:\/\/[^\]]+\]\\n/)
  expect(results).toMatch(/Error: MCP error -32602.*"isError":true/)
  expect(results).not.toContain('iVBOR')
})

test('a model without image input reads why it sees none, and the session goes on', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  await declareGlobal(home.path, { peer: { type: 'http', url: peer.url, authMode: 'none' } })
  const run = await runHeadless({ home: home.path, plugins: ['manager'], task, env: full })
  expect(run.code, run.stderr).toBe(0)
  const seen = (await modelRequests(home.path)).at(-1)?.messages
  expect(blocks(seen, 'image')).toEqual([])
  expect(JSON.stringify(seen)).toContain('[image unavailable: image/png; model \\"scripted\\" takes no images]')
})

test('a program in code mode gets the structured value of a call and its failure as an exception', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  await declareGlobal(home.path, { peer: { type: 'http', url: peer.url, authMode: 'none' } })
  const code = `
    const sum = await tools['mcp__peer__get-sum']({ a: 20, b: 22 })
    const weather = await tools['mcp__peer__get-structured-content']({ location: 'New York' })
    let failure = 'none'
    try { await tools['mcp__peer__get-sum']({ a: 'x', b: 1 }) } catch (error) { failure = error.message }
    await tools['mcp__peer__get-tiny-image']({})
    return { sum: sum.text, weather: weather.structuredContent, failed: failure !== 'none', plain: sum.isError }`
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    task: `call run_code ${JSON.stringify({ description: 'adds', code })}`,
    patches: [vision],
    env: { ...full, DSH_TOOLS_MODE: 'code' },
  })
  expect(run.code, run.stderr).toBe(0)
  const requests = await modelRequests(home.path)
  expect(requests[0]?.tools).toEqual(['run_code'])
  expect(requests[0]?.system).toContain('"mcp__peer__get-sum"')
  const results = JSON.stringify(blocks(requests.at(-1)?.messages, 'tool-result'))
  expect(results).toContain('The sum of 20 and 22 is 42')
  expect(results).toMatch(/temperature/)
  expect(results).toMatch(/failed\W+true/)
  expect(blocks(requests.at(-1)?.messages, 'image')).toHaveLength(1)
})

test('the schemas the model sees are those of the server, in the host’s vocabulary', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  await declareGlobal(home.path, { peer: { type: 'http', url: peer.url, authMode: 'none' } })
  await runHeadless({ home: home.path, plugins: ['manager'], task: 'say hello', env: full })
  const [first] = await modelRequests(home.path)
  const sum = first?.schemas?.find((schema) => schema.name === 'mcp__peer__get-sum')
  expect(sum).toMatchObject({
    description: expect.stringMatching(/ \[peer MCP\]$/),
    parameters: {
      type: 'object',
      properties: { a: { type: 'number', description: expect.any(String) }, b: { type: 'number' } },
      required: ['a', 'b'],
    },
  })
  expect(JSON.stringify(first?.schemas?.filter(({ name }) => name.startsWith('mcp__')))).not.toContain('$schema')
})
