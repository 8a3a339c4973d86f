import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  changeLivePatch,
  configPatch,
  eventually,
  oddStdio,
  processesWith,
  runHeadless,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { openSession } from '../workspaces/scene.ts'

interface View {
  readonly name: string
  readonly status: string
  readonly error: string | null
}

async function serversOf(host: WebHost): Promise<readonly View[]> {
  const response = await fetch(`${host.url}/mcp-manager/api/servers`)
  if (!response.ok) throw new Error(`HTTP ${response.status}`)
  return ((await response.json()) as { servers: readonly View[] }).servers
}

test('a reload of the row replaces every process and leaves one registration of each tool', async () => {
  await using home = await temporaryHome()
  const mark = `reload-${process.pid}-${Date.now()}`
  const server = { name: 'odd', type: 'stdio', ...oddStdio(), env: { DSH_MCP_TEST_MARK: mark } }
  await writeFile(join(home.path, 'mcp-manager.json'), JSON.stringify({ servers: [server] }))
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const [before] = await eventually('the server runs', async () => {
    const found = await processesWith(mark)
    return found.length === 1 ? found : undefined
  })
  const patch = configPatch('mcp-manager', { toolCallTimeoutMs: 30_001 })
  const after = await changeLivePatch(home.path, patch, 'another process runs, and only that', async () => {
    const found = await processesWith(mark)
    return found.length === 1 && found[0] !== before ? found[0] : undefined
  })
  expect(after).not.toBe(before)
  await eventually('it is connected', async () => (await serversOf(host))[0]?.status === 'connected')
  const session = await openSession(host, home.path)
  const { answer, offered } = await session.turn('call mcp__odd__pid {}')
  expect(answer).toContain(String(after))
  const names = offered.filter((name) => name.startsWith('mcp__odd__'))
  expect(names).toHaveLength(11)
  expect(new Set(names).size).toBe(11)
}, 120_000)

test('an edit of the state file by hand starts, replaces and stops servers while the host runs', async () => {
  await using home = await temporaryHome()
  const mark = `edit-${process.pid}-${Date.now()}`
  const file = join(home.path, 'mcp-manager.json')
  const server = (name: string, more: object = {}) => ({
    id: `id-${name}`,
    name,
    type: 'stdio',
    ...oddStdio(),
    env: { DSH_MCP_TEST_MARK: mark },
    ...more,
  })
  const save = (servers: readonly object[]) => writeFile(file, JSON.stringify({ servers, kept: { by: 'hand' } }))
  await save([server('a')])
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  const states = async () => Object.fromEntries((await serversOf(host)).map(({ name, status }) => [name, status]))
  const become = (expected: Record<string, string>) =>
    eventually(
      `servers are ${JSON.stringify(expected)}`,
      async () => JSON.stringify(await states()) === JSON.stringify(expected),
    )
  await become({ a: 'connected' })
  await save([server('a'), server('b')])
  await become({ a: 'connected', b: 'connected' })
  await save([server('a', { enabled: false }), server('b')])
  await become({ a: 'disabled', b: 'connected' })
  await writeFile(file, '{"servers": [')
  const session = await openSession(host, home.path)
  const { answer } = await session.turn('call mcp__b__pid {}')
  expect((await processesWith(mark)).some((pid) => answer.includes(String(pid)))).toBe(true)
  await save([])
  await become({})
  await eventually('no process is left', async () => (await processesWith(mark)).length === 0)
})

test('a broken state file stops neither the host nor a session, and is left as it is', async () => {
  await using home = await temporaryHome()
  const file = join(home.path, 'mcp-manager.json')
  await writeFile(file, '{ "servers": [ { "name": ')
  const run = await runHeadless({ home: home.path, plugins: ['manager'], task: 'say still at work' })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout).toContain('still at work')
  expect(run.stderr).toMatch(/mcp-manager: .*mcp-manager\.json/)
  expect(await readFile(file, 'utf8')).toBe('{ "servers": [ { "name": ')
})

test('a row config with wrong values does not stop the host', async () => {
  await using home = await temporaryHome()
  const run = await runHeadless({
    home: home.path,
    plugins: ['manager'],
    patches: [configPatch('mcp-manager', { toolCallTimeoutMs: 'soon', publicOrigins: 7, firstConnectWaitMs: {} })],
    task: 'say still at work',
  })
  expect(run.code, run.stderr).toBe(0)
  expect(run.stdout).toContain('still at work')
  for (const key of ['toolCallTimeoutMs', 'publicOrigins', 'firstConnectWaitMs'])
    expect(run.stderr).toContain(`config.${key}`)
})
