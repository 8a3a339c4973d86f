import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  configPatch,
  everythingStdio,
  eventually,
  modelRequests,
  runHeadless,
  smallServer,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { declareWorkspace, openSession } from '../workspaces/scene.ts'
import { brokerTools, declareOnDemand, switchOnDemand } from './scene.ts'

const everything = { name: 'everything', type: 'stdio', ...everythingStdio() }

/** A patch that mounts a plugin row of this folder. */
function mounting(row: string): string {
  return JSON.stringify([{ insert: [{ id: row, name: fileURLToPath(new URL(`${row}.program.ts`, import.meta.url)) }] }])
}

/** A line of a scripted agent. */
const call = (tool: string, args: object): string => `call ${tool} ${JSON.stringify(args)}`
const sum = { name: 'mcp__everything__get-sum', arguments: { a: 20, b: 22 } }

test.each([
  ['English', 'add two numbers'],
  ['Chinese', '把两个数字相加'],
])('an agent finds, reads and calls a tool it was never shown, asking in %s', async (_language, query) => {
  await using home = await temporaryHome()
  await declareOnDemand(home.path, true, [everything])
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    task: [
      call('mcp_search_tools', { query, limit: 3 }),
      call('mcp_describe_tool', { name: sum.name }),
      call('mcp_execute_tool', sum),
      call(sum.name, sum.arguments),
    ].join('\n'),
  })
  expect(run.code, run.stderr).toBe(0)
  const results = (JSON.parse(run.stdout) as { isError: boolean; content: { text: string }[] }[]).map((result) => ({
    isError: result.isError,
    text: result.content.map(({ text }) => text).join(''),
  }))
  const [found, described, executed, direct] = results
  expect(JSON.parse(found!.text).matches[0]).toMatchObject({
    name: sum.name,
    server: 'everything',
    tool: 'get-sum',
  })
  expect(JSON.parse(described!.text)).toMatchObject({
    name: sum.name,
    inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
  })
  expect(executed).toEqual({ isError: false, text: 'The sum of 20 and 22 is 42.' })
  expect(direct).toMatchObject({ isError: true, text: expect.stringContaining('mcp_execute_tool') })
  for (const request of await modelRequests(home.path)) {
    expect(request.tools).toEqual(expect.arrayContaining(brokerTools))
    expect(request.tools.filter((name) => name.startsWith('mcp__'))).toEqual([])
  }
})

test('off by default: no broker, all MCP tools', async () => {
  await using home = await temporaryHome()
  await declareOnDemand(home.path, undefined, [everything])
  const run = await runHeadless({ home: home.path, plugins: ['manager'], task: call('mcp_search_tools', {}) })
  expect(run.stdout).toContain('unknown tool')
  const [first] = await modelRequests(home.path)
  expect(first?.tools).toContain(sum.name)
  expect(first?.tools).not.toContain('mcp_search_tools')
})

test('the switch of the page acts on the next request of a running session, and survives a restart', async () => {
  await using home = await temporaryHome()
  const cwd = await realpath(home.path)
  await declareOnDemand(home.path, false, [everything])
  const offered = async (host: Awaited<ReturnType<typeof startWebHost>>, sessionId: string) => {
    const before = (await modelRequests(home.path)).length
    await host.api('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: 'say hello' }] })
    const request = await eventually('the next request', async () => (await modelRequests(home.path))[before])
    return request.tools.filter((name) => name.startsWith('mcp_'))
  }
  let sessionId: string
  {
    await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
    const created = await host.api<{ sessionId: string }>('session.create', { cwd })
    sessionId = created.sessionId
    expect(await offered(host, sessionId)).toContain(sum.name)
    await switchOnDemand(host.url, true)
    expect((await offered(host, sessionId)).toSorted()).toEqual(brokerTools)
    await switchOnDemand(host.url, false)
    expect(await offered(host, sessionId)).toContain(sum.name)
    await switchOnDemand(host.url, true)
  }
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  expect((await offered(host, sessionId)).toSorted()).toEqual(brokerTools)
})

test('workspaces, exclusions and switches hold for all three tools', async () => {
  await using home = await temporaryHome()
  const base = await realpath(home.path)
  const [a, b] = [join(base, 'a'), join(base, 'b')]
  await mkdir(a)
  await mkdir(b)
  await declareOnDemand(base, true, [
    { name: 'shared', ...smallServer('shared', 3), disabledTools: ['tool_2'] },
    { name: 'hidden', ...smallServer('hidden') },
  ])
  await declareWorkspace(a, { mcpServers: { alpha: smallServer('alpha') }, disabled: ['hidden'] })
  await declareWorkspace(b, { mcpServers: { beta: smallServer('beta') }, exclude: ['shared'] })
  await using host = await startWebHost({ home: base, plugins: ['manager'] })
  const names = [
    'alpha__tool_1',
    'beta__tool_1',
    'hidden__tool_1',
    'shared__tool_1',
    'shared__tool_2',
    'shared__tool_3',
  ]
  const sees: Readonly<Record<string, readonly string[]>> = {
    [a]: ['alpha__tool_1', 'shared__tool_1', 'shared__tool_3'],
    [b]: ['beta__tool_1', 'hidden__tool_1'],
  }
  for (const [cwd, visible] of Object.entries(sees)) {
    const session = await openSession(host, cwd)
    const { answer } = await session.turn(
      [
        call('mcp_search_tools', {}),
        ...names.flatMap((name) => [
          call('mcp_describe_tool', { name: `mcp__${name}` }),
          call('mcp_execute_tool', { name: `mcp__${name}` }),
          call(`mcp__${name}`, {}),
        ]),
      ].join('\n'),
    )
    expect(answer, cwd).toMatch(new RegExp(String.raw`total\\+":${visible.length},`))
    for (const name of names) {
      const [server, tool] = name.split('__') as [string, string]
      const isVisible = visible.includes(name)
      expect(answer.includes(`${tool} of ${server}, pid`), `${name} runs in ${cwd}`).toBe(isVisible)
      expect(answer.includes(`MCP tool \\"mcp__${name}\\" is not visible in this session`), name).toBe(!isVisible)
    }
  }
})

describe.each(['code', 'both'])('agents in %s mode', (mode) => {
  test.each(['the usual prompt', 'a prompt that empties the SDK section'])(
    'keep all MCP tools, with %s',
    async (prompt) => {
      await using home = await temporaryHome()
      await declareOnDemand(home.path, true, [{ name: 'small', ...smallServer('small') }])
      const program = (code: string) => call('run_code', { code, description: 'call a tool' })
      const emptied = prompt !== 'the usual prompt'
      const run = await runHeadless({
        home: home.path,
        plugins: ['manager'],
        env: { DSH_TOOLS_MODE: mode, DSH_MCP_TEST_RECORD: 'full' },
        patches: emptied ? [mounting('empty-sdk')] : [],
        task: [
          program('return await tools.mcp__small__tool_1({})'),
          program('return await tools.mcp_execute_tool({ name: "mcp__small__tool_1" })'),
          ...(mode === 'both' ? [call('mcp__small__tool_1', {})] : []),
        ].join('\n'),
      })
      expect(run.code, run.stderr).toBe(0)
      expect(run.stdout.match(/tool_1 of small, pid/g)?.length, run.stdout).toBeGreaterThanOrEqual(
        mode === 'both' ? 3 : 2,
      )
      const [request] = await modelRequests(home.path)
      expect(request!.tools.includes('mcp__small__tool_1')).toBe(mode === 'both')
      expect(request!.system?.includes('mcp__small__tool_1')).toBe(!emptied)
    },
  )
})

test('an image of a called tool reaches the model as the host stored it', async () => {
  await using home = await temporaryHome()
  await declareOnDemand(home.path, true, [everything])
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    env: { DSH_MCP_TEST_RECORD: 'full' },
    patches: [configPatch('agent-default-model', { provider: 'scripted', model: 'scripted-vision' })],
    task: call('mcp_execute_tool', { name: 'mcp__everything__get-tiny-image' }),
  })
  expect(run.code, run.stderr).toBe(0)
  const requests = await modelRequests(home.path)
  const told = JSON.stringify(requests.at(-1)?.messages)
  expect(told).toMatch(/"type":"image","attachment":\{"attachmentId":"sha256:/)
  expect(told).not.toContain('iVBORw0KGgo')
})

test('a called tool fails as it would directly: its own error, its own timeout', async () => {
  const slow = { name: 'mcp__everything__trigger-long-running-operation', arguments: { duration: 30, steps: 1 } }
  const wrong = { name: sum.name, arguments: { a: 'many', b: 1 } }
  const failures = async (on: boolean): Promise<string[]> => {
    await using home = await temporaryHome()
    await declareOnDemand(home.path, on, [{ ...everything, timeout: 1000 }])
    const lines = [wrong, slow].map((one) => (on ? call('mcp_execute_tool', one) : call(one.name, one.arguments)))
    const run = await runHeadless({ home: home.path, plugins: ['manager'], task: lines.join('\n') })
    expect(run.code, run.stderr).toBe(0)
    const results = JSON.parse(run.stdout) as { isError: boolean; content: { text: string }[] }[]
    expect(results.map(({ isError }) => isError)).toEqual([true, true])
    return results.map(({ content }) => content.map(({ text }) => text).join(''))
  }
  const direct = await failures(false)
  expect(direct[1]).toMatch(/1000 ms|1 s/)
  expect(await failures(true)).toEqual(direct)
})

test('an agent that may not use mcp_execute_tool keeps the MCP tools it may use', async () => {
  await using home = await temporaryHome()
  await declareOnDemand(home.path, true, [{ name: 'small', ...smallServer('small', 2) }])
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    patches: [mounting('narrow-agent')],
    task: ['say wait', call('mcp__small__tool_1', {}), call('mcp__small__tool_2', {})].join('\n'),
  })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout).toContain('tool_1 of small, pid')
  expect(run.stdout).not.toContain('tool_2 of small, pid')
  const requests = await modelRequests(home.path)
  expect(requests.at(-1)?.tools).toEqual(['mcp__small__tool_1'])
})
