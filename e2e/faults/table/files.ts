import { mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eventually, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { setTimeout as sleep } from 'node:timers/promises'
import { isError, startBridge } from '../bridge.ts'
import type { Fault, FaultPoint } from '../fault.ts'
import { servers, type Scene } from '../scene.ts'

/** Turns the good content of a file into a bad one at its path. */
type Damage = (path: string, good: string) => Promise<void>

const text =
  (of: (good: string) => string | Uint8Array): Damage =>
  (path, good) =>
    writeFile(path, of(good))

const linkToItself = 'a symbolic link to itself'

const damages: Readonly<Record<string, Damage>> = {
  empty: text(() => ''),
  'cut after one byte': text((good) => good.slice(0, 1)),
  'cut in the middle': text((good) => good.slice(0, good.length / 2)),
  'cut before its last brace': text((good) => good.slice(0, good.lastIndexOf('}'))),
  'all zeros, as after a power cut': text((good) => new Uint8Array(good.length)),
  'no UTF-8': text(() => new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0xc3, 0x28])),
  'a list': text(() => '[]'),
  'members of the wrong kind': text(() => '{"servers":{"a":1},"mcpServers":[],"url":7,"token":{}}'),
  '50 000 brackets deep': text(() => '['.repeat(50_000)),
  'a directory in its place': async (path) => {
    await rm(path)
    await mkdir(path)
  },
  [linkToItself]: async (path) => {
    await rm(path)
    await symlink(path, path)
  },
}

const alive = async (scene: Scene): Promise<void> => {
  const { status } = await scene.api('GET', '/api/servers')
  if (status !== 200) throw new Error(`the API answered ${status}`)
  if ((await scene.echo(servers.local, 'still here')) !== 'still here') throw new Error('the running server was lost')
}

const contentOf = (path: string): Promise<string> => readFile(path, 'latin1').catch((error: unknown) => String(error))

/** Puts a good file back, whatever stands at its path. */
async function mend(path: string, good: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
  await writeFile(`${path}.mended`, good, { mode: 0o600 })
  await rename(`${path}.mended`, path)
}

const body = { name: 'never', type: 'stdio', command: 'no-such-program', enabled: false }

const whileRunning = ([name, damage]: readonly [string, Damage]): FaultPoint => ({
  point: `${name}, while the harness runs`,
  async inject(scene) {
    const good = await readFile(scene.statePath, 'utf8')
    await damage(scene.statePath, good)
    const bad = await contentOf(scene.statePath)
    const { status, body: answer } = await scene.api('POST', '/api/servers', { body })
    if (status < 400) throw new Error(`a change was accepted: ${status} ${JSON.stringify(answer)}`)
    if ((await contentOf(scene.statePath)) !== bad) throw new Error('the bad file was written over')
    await alive(scene)
    await mend(scene.statePath, good)
  },
})

/** Whether the harness without any plugin ends by itself in a home where a file is damaged so. */
async function harnessAloneEnds(damage: Damage): Promise<boolean> {
  await using home = await temporaryHome()
  const path = join(home.path, 'some-file')
  await writeFile(path, '')
  await damage(path, '')
  await using host = await startWebHost({ home: home.path })
  const stays = sleep(5_000, false, { ref: false })
  return Promise.race([host.child.exited.then(() => true), stays])
}

const atStart = ([name, damage]: readonly [string, Damage]): FaultPoint => ({
  point: `${name}, when the harness starts`,
  long: true,
  async inject(scene) {
    if (name === linkToItself && (await harnessAloneEnds(damage))) {
      return { skipped: 'DSH itself, without plugins, ends when such a link lies in its home' }
    }
    await scene.host().stop()
    const good = await readFile(scene.statePath, 'utf8')
    await damage(scene.statePath, good)
    const bad = await contentOf(scene.statePath)
    await scene.restart()
    if ((await contentOf(scene.statePath)) !== bad) throw new Error('the bad file was written over')
    await mend(scene.statePath, good)
    return undefined
  },
})

const all = Object.entries(damages)

const hostileState: Fault = {
  fault: 'a damaged state file',
  points: [
    ...all.map(whileRunning),
    ...all.map(atStart),
    {
      point: 'entries that try to become prototypes, paths and markup',
      async inject(scene) {
        const good = await readFile(scene.statePath, 'utf8')
        const evil = [
          '{"__proto__":{"polluted":true},"id":"__proto__","name":"__proto__","type":"stdio","command":"x"}',
          '{"id":"constructor","name":"toString","url":"javascript:alert(1)"}',
          '{"id":"../../etc","name":"../../etc","type":"stdio","command":"x"}',
          '{"id":"m","name":"<img src=x onerror=alert(1)>","url":"http://127.0.0.1:1"}',
          '{"id":"n","name":"n","type":"stdio","command":["sh"],"args":"-c","env":[1],"timeout":-1}',
          'null',
          '7',
        ]
        const at = good.indexOf('[', good.indexOf('"servers"')) + 1
        await writeFile(scene.statePath, `${good.slice(0, at)}${evil.join(',')},${good.slice(at)}`)
        await eventually('the entries are told of', async () => {
          const { body: listed } = await scene.api('GET', '/api/servers')
          return (listed as { problems: string[] }).problems.length > 0
        })
        await alive(scene)
        await mend(scene.statePath, good)
      },
    },
  ],
}

const hostileWorkspace: Fault = {
  fault: 'a damaged workspace file',
  points: all.map(([name, damage]) => ({
    point: name,
    async inject(scene) {
      const root = join(scene.home, 'project')
      const path = join(root, '.dsh', 'dshmm', 'mcp.json')
      await mkdir(dirname(path), { recursive: true })
      const good = JSON.stringify({
        mcpServers: { own: { type: 'stdio', command: 'no-such-program', enabled: false } },
        kept: 1,
      })
      await mend(path, good)
      await scene.host().api('session.create', { cwd: root })
      await damage(path, good)
      const bad = await contentOf(path)
      const change = { path: root, name: 'never', type: 'stdio', command: 'no-such-program' }
      const { status } = await scene.api('POST', '/api/workspaces/servers', { body: change })
      if (status < 400 || status === 403) throw new Error(`a change was answered ${status}`)
      if ((await contentOf(path)) !== bad) throw new Error('the bad file was written over')
      await alive(scene)
      await mend(path, good)
      await eventually('the mended file is read', async () => {
        const { body: listed } = await scene.api('GET', '/api/workspaces')
        const found = (listed as { workspaces: { path: string; error: string | null; servers: unknown[] }[] })
          .workspaces
        const own = found.find((one) => one.path === root)
        if (own?.error !== null || own.servers.length !== 1) throw new Error(JSON.stringify(listed))
        return true
      })
    },
  })),
}

const hostileEndpoint: Fault = {
  fault: 'a damaged endpoint file',
  points: all.map(([name, damage]) => ({
    point: name,
    async inject(scene) {
      const path = join(scene.home, 'mcp', 'dsh-mcp-endpoint.json')
      const good = await readFile(path, 'utf8')
      await damage(path, good)
      await using bridge = startBridge(scene)
      const refused = await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      if (!isError(refused)) throw new Error(`the bridge answered ${refused}`)
      await mend(path, good)
      const listed = await bridge.ask({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
      if (!listed.includes('dsh_start_session')) throw new Error(`the same bridge did not go on: ${listed}`)
    },
  })),
}

const hostileToken: Fault = {
  fault: 'a damaged file of the endpoint token',
  points: [
    ['emptied', ''],
    ['cut', 'abc'],
    ['with foreign bytes', `${'é'.repeat(43)}\n`],
  ].map(([name = '', content = '']) => ({
    point: `${name}, when the harness starts`,
    long: name !== 'cut',
    async inject(scene: Scene) {
      await scene.host().stop()
      await writeFile(join(scene.home, 'mcp', 'dsh-mcp-token'), content)
      scene.tokenIsGone()
      await scene.restart()
      await using bridge = startBridge(scene)
      const listed = await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
      if (!listed.includes('dsh_start_session')) throw new Error(`the bridge got ${listed}`)
    },
  })),
}

/** Files that are not what was written. */
export const files: readonly Fault[] = [hostileState, hostileWorkspace, hostileEndpoint, hostileToken]
