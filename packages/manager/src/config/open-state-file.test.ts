import { mkdtemp, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStateFile } from './open-state-file.ts'
import type { StateFile } from './state-file.ts'

let folder: string
let path: string
let open: StateFile[]

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-state-'))
  path = join(folder, 'mcp-manager.json')
  open = []
})
afterEach(async () => {
  for (const file of open) await file.close()
  await rm(folder, { recursive: true, force: true })
})

function file(pollMs = 0): StateFile {
  const opened = openStateFile(path, { pollMs })
  open.push(opened)
  return opened
}
const onDisk = async (): Promise<Record<string, unknown>> =>
  JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>

/** The example of an older plugin's file, with keys nobody knows. */
const older = {
  servers: [
    {
      id: 'Qk3vW0aZ9-x',
      name: 'odin',
      type: 'http',
      enabled: true,
      url: 'https://odin.example/mcp',
      authMode: 'oauth',
      headers: {},
      headerEnv: {},
      future: { a: 1 },
      oauth: {
        clientId: 'dcr-1',
        redirect: 'http://127.0.0.1:3080/mcp-manager/callback/Qk3vW0aZ9-x',
        authorizationServer: 'https://login.example',
        tokens: { access_token: 'A', refresh_token: 'R', expires_at: 1_790_000_000_000, odd: true },
      },
    },
    {
      id: 'aaaaaaaaaaa',
      name: 'files',
      type: 'stdio',
      command: 'npx',
      args: ['-y', 'some-server'],
      env: { ROOT: '/data' },
    },
  ],
  workspaceTokens: { '/proj/a\nlinear': { oauth: { clientId: 'dcr-2', tokens: {} } } },
  onDemandToolInjection: false,
  workspaceConsents: {},
  language: 'zh',
}

describe('reading', () => {
  test('no file is no server', async () => {
    expect(await file().reload()).toMatchObject({ servers: [], problems: [] })
  })

  test('an older file loads, and survives an edit with its unknown keys', async () => {
    await writeFile(path, JSON.stringify(older))
    const state = file()
    const snapshot = await state.reload()
    expect(snapshot.problems).toEqual([])
    expect(snapshot.servers).toMatchObject([
      { id: 'Qk3vW0aZ9-x', type: 'http', authMode: 'oauth', enabled: true, source: { kind: 'global' } },
      { id: 'aaaaaaaaaaa', type: 'stdio', command: 'npx', args: ['-y', 'some-server'], env: { ROOT: '/data' } },
    ])
    await state.update((draft) => {
      draft.servers[1]!.enabled = false
    })
    const expected = structuredClone(older) as { servers: Record<string, unknown>[] }
    expected.servers[1]!.enabled = false
    expect(await onDisk()).toEqual(expected)
    expect(state.current().servers[1]).toMatchObject({ enabled: false })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('servers without ids and lists of variables are brought up to date and saved at once', async () => {
    await writeFile(
      path,
      '{"servers":[{"name":"a","type":"stdio","command":"node","args":["-v"],"env":[{"name":"X","value":"1"},{"value":"no name"},' +
        '{"key":"Y","value":2}]},{"name":"b","type":"http","url":"http://127.0.0.1:1/mcp"},{"id":"same1","name":"c","url":"http://x/"},' +
        '{"id":"same1","name":"d","url":"http://x/"}]}',
    )
    const snapshot = await file().reload()
    expect(snapshot.servers.map((server) => server.name)).toEqual(['a', 'b', 'c', 'd'])
    const ids = snapshot.servers.map((server) => server.id)
    expect(new Set(ids).size).toBe(4)
    expect(ids[2]).toBe('same1')
    expect(snapshot.servers[0]).toMatchObject({ env: { X: '1', Y: '2' } })
    const saved = (await onDisk()) as { servers: { id: string; env?: unknown }[] }
    expect(saved.servers.map((server) => server.id)).toEqual(ids)
    expect(saved.servers[0]!.env).toEqual({ X: '1', Y: '2' })
  })

  test('a bad entry is told of, kept in the file, and takes nobody with it', async () => {
    const servers = [
      { id: 'b1', name: 'no spaces', url: 'http://x/' },
      { id: 'b2', name: 'ftp', url: 'ftp://x/' },
      { id: 'b3', name: 'empty', type: 'stdio', command: ' ' },
      { id: 'b4', name: 'odd', type: 'pigeon' },
      7,
      { id: 'g1', name: 'good', url: 'http://127.0.0.1/', enabled: 'yes', timeout: '2500.5', authMode: 'magic' },
      { id: 'g2', name: 'good', url: 'http://127.0.0.1/' },
    ]
    await writeFile(path, JSON.stringify({ servers }))
    const state = file()
    const snapshot = await state.reload()
    expect(snapshot.servers).toMatchObject([{ id: 'g1', enabled: true, timeout: 2500, authMode: 'oauth' }])
    expect(snapshot.problems).toHaveLength(6)
    expect(snapshot.problems.join('\n')).toMatch(/"ftp": url: must begin with http/)
    await state.update((draft) => void (draft.onDemandToolInjection = true))
    expect((await onDisk()).servers).toEqual(servers)
  })

  test.each([
    ['', 'empty'],
    ['{"servers":[', 'half-written'],
    ['[]', 'a list'],
    ['{"servers":{}}', 'servers not a list'],
  ])('%j is never overwritten, and the last good content runs on', async (text) => {
    await writeFile(path, JSON.stringify(older))
    const state = file()
    await state.reload()
    await writeFile(path, text)
    const snapshot = await state.reload()
    expect(snapshot.servers).toHaveLength(2)
    expect(snapshot.problems).toEqual([expect.stringContaining('is not valid')])
    await expect(state.update((draft) => void (draft.servers = []))).rejects.toMatchObject({ code: 'invalid' })
    expect(await readFile(path, 'utf8')).toBe(text)
    await writeFile(path, JSON.stringify({ servers: [] }))
    expect(await state.reload()).toMatchObject({ servers: [], problems: [] })
  })
})

describe('writing', () => {
  test('a change that changes nothing leaves the very file', async () => {
    await writeFile(path, `${JSON.stringify(older)}\n`)
    const before = await stat(path)
    await file().update(() => undefined)
    expect((await stat(path)).ino).toBe(before.ino)
  })

  test('keeps what another wrote in between', async () => {
    await writeFile(path, JSON.stringify(older))
    const state = file()
    await state.reload()
    const edited = structuredClone(older) as { servers: Record<string, unknown>[]; language: string }
    edited.servers[0]!.scope = 'repo'
    edited.language = 'en'
    await writeFile(path, JSON.stringify(edited))
    await state.update((draft) => void (draft.servers[1]!.timeout = 5000))
    edited.servers[1]!.timeout = 5000
    expect(await onDisk()).toEqual(edited)
    expect(state.current().servers[0]).toMatchObject({ scope: 'repo' })
  })

  test('goes in turn, and a failed change writes nothing', async () => {
    const state = file()
    const order: number[] = []
    const turns = [1, 2, 3].map((turn) =>
      state.update(async (draft) => {
        await new Promise((resolve) => setImmediate(resolve))
        order.push(turn)
        draft[`k${turn}`] = turn
        if (turn === 2) throw new Error('changed my mind')
      }),
    )
    const outcomes = await Promise.allSettled(turns)
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(order).toEqual([1, 2, 3])
    expect(await onDisk()).toEqual({ servers: [], k1: 1, k3: 3 })
    expect(await readdir(folder)).toEqual(['mcp-manager.json'])
  })

  test('leaves a symbolic link in place', async () => {
    const target = join(folder, 'real.json')
    await writeFile(target, '{"servers":[]}')
    await symlink(target, path)
    await file().update((draft) => void (draft.x = 1))
    expect(JSON.parse(await readFile(target, 'utf8'))).toEqual({ servers: [], x: 1 })
    expect(await readdir(folder)).toEqual(['mcp-manager.json', 'real.json'])
  })

  test('a path that cannot be written is told of, and memory keeps the old content', async () => {
    path = join(folder, 'file-not-folder', 'mcp-manager.json')
    await writeFile(join(folder, 'file-not-folder'), '')
    await expect(file().update((draft) => void (draft.x = 1))).rejects.toMatchObject({ code: 'io' })
  })
})

test('edits by hand are seen, and subscribers told once', async () => {
  const state = file(20)
  await state.reload()
  const seen = vi.fn()
  state.subscribe(seen)
  await writeFile(path, JSON.stringify(older))
  await vi.waitFor(() => expect(state.current().servers).toHaveLength(2), { timeout: 10_000 })
  expect(seen).toHaveBeenCalledTimes(1)
})
