import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  configPatch,
  eventually,
  modelRequests,
  runHeadless,
  smallServer,
  startEverything,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { declareGlobal } from '../workspaces/scene.ts'
import { callManager } from './api-client.ts'

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

test('a tool that is switched off is denied in native mode, in code mode, on demand and by a direct call', async () => {
  await using peer = await startEverything()
  const declared = { peer: { type: 'http', url: peer.url, authMode: 'none', disabledTools: ['mcp__peer__get-sum'] } }
  const echo = JSON.stringify({ name: 'mcp__peer__get-sum', arguments: { a: 1, b: 2 } })
  const code = `try { await tools['mcp__peer__get-sum']({ a: 1, b: 2 }); return 'let in' } catch { return 'denied' }`
  const runs: readonly (readonly [name: string, task: string, env: NodeJS.ProcessEnv, onDemand: boolean])[] = [
    ['native', 'call mcp__peer__get-sum {"a":1,"b":2}', full, false],
    [
      'code',
      `call run_code ${JSON.stringify({ description: 'adds', code })}`,
      { ...full, DSH_TOOLS_MODE: 'code' },
      false,
    ],
    ['on demand', `call mcp_execute_tool ${echo}`, full, true],
  ]
  for (const [name, task, env, onDemand] of runs) {
    await using home = await temporaryHome()
    const servers = Object.entries(declared).map(([key, server]) => ({ id: key, name: key, ...server }))
    await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers, onDemandToolInjection: onDemand }))
    const run = await runHeadless({ home: home.path, plugins: ['manager'], task, env })
    expect(run.code, run.stderr).toBe(0)
    const requests = await modelRequests(home.path)
    expect(JSON.stringify([requests[0]?.schemas, requests[0]?.system]), name).not.toContain('mcp__peer__get-sum')
    const results = JSON.stringify(blocks(requests.at(-1)?.messages, 'tool-result'))
    expect(results, name).toMatch(/"isError":true|denied/)
    expect(results, name).not.toMatch(/is 3|let in/)
  }
})

test('two plugins with the same server name: the name that was there first stays, the rest is offered and told', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  const { command, args } = smallServer('small', 1)
  const config = { serverName: 'small', transport: 'stdio', command, args }
  const row = JSON.stringify([{ insert: [{ id: 'mcp-own', name: '@deepseek-ai/dsh-mcp-client', config }] }])
  await declareGlobal(home.path, {
    small: smallServer('small', 2),
    peer: { type: 'http', url: peer.url, authMode: 'none' },
  })
  await using host = await startWebHost({ home: home.path, plugins: ['manager'], patches: [row] })
  const tools = await eventually('the second tool of the server is offered', async () => {
    const { body } = await callManager(host, 'GET', '/api/servers/global-small/tools')
    const listed = (body as { tools?: { publicName: string; quarantined?: string }[] }).tools
    return listed?.length === 2 ? listed : undefined
  })
  expect(tools).toMatchObject([
    { publicName: 'mcp__small__tool_1', quarantined: expect.stringContaining('taken by another plugin') },
    { publicName: 'mcp__small__tool_2' },
  ])
  expect(tools[1]).not.toHaveProperty('quarantined')
})
