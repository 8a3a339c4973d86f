import { configPatch, eventually, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { defaults } from '../../packages/manager/src/plugin-config.ts'
import { validateConfig } from '../../packages/server/src/config.ts'
import { callManager } from '../manager/api-client.ts'

/** The members each row knows, from the code that reads them. */
const members = {
  'mcp-manager': Object.keys(defaults).filter((name) => name !== 'problems'),
  'dsh-mcp-server': Object.keys((validateConfig({}) as { value: object }).value),
}

/** A row whose members are all the same nonsense. */
const rowOf = (plugin: keyof typeof members, value: unknown): string =>
  configPatch(plugin, Object.fromEntries([...members[plugin], 'noSuchMember'].map((name) => [name, value])))

describe('the manager starts on nonsense, says what it does not use, and stays on the safe side', () => {
  test.each([[-1], ['\u0000'], [{ length: 1e9 }], [[[]]]])('%j everywhere', async (value) => {
    await using home = await temporaryHome()
    await using host = await startWebHost({
      home: home.path,
      plugins: ['manager'],
      patches: [rowOf('mcp-manager', value)],
    })
    await eventually('the API answers', async () => (await callManager(host, 'GET', '/api/ping')).status === 200)
    expect((await callManager(host, 'GET', '/api/ping', { headers: { host: 'evil.example' } })).status).toBe(403)
    expect((await callManager(host, 'GET', '/api/settings')).body).toMatchObject({ askBeforeWorkspaceCommands: true })
    expect(host.child.stderr()).toContain('config.askBeforeWorkspaceCommands must be true or false')
  })
})

describe('the server does not start on nonsense: a limit that cannot be read is not left out', () => {
  test.each([[-1], ['\u0000'], [{ length: 1e9 }], [[[]]]])('%j everywhere', async (value) => {
    await using home = await temporaryHome()
    const start = startWebHost({ home: home.path, plugins: ['server'], patches: [rowOf('dsh-mcp-server', value)] })
    await expect(start).rejects.toThrow(/invalid config[^]*allowedRoots/)
  })

  test.each([[7], ['x'], [[]]])('nor on a row that is %j as a whole', async (config) => {
    await using home = await temporaryHome()
    const patches = [JSON.stringify([{ id: 'dsh-mcp-server', config }])]
    await expect(startWebHost({ home: home.path, plugins: ['server'], patches })).rejects.toThrow(
      /invalid config[^]*must be an object/,
    )
  })
})
