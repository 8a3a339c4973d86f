import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { eventually, nodeBinary, startChild } from '@dsh-mcp/testkit'
import type { Fault } from '../fault.ts'
import { DataLost, servers, type Scene } from '../scene.ts'
import { killHost } from '../kill-host.ts'

const writer = new URL('../state-writer.program.ts', import.meta.url).pathname
const preload = pathToFileURL(new URL('../slow-disk.preload.mjs', import.meta.url).pathname).href

const slow = (ms: number): NodeJS.ProcessEnv => ({ NODE_OPTIONS: `--import ${preload}`, FAULTS_SLOW_DISK: String(ms) })

const change = (name: string) => ({ body: { name, type: 'stdio', command: 'no-such-program', enabled: false } })

const idOf = (body: unknown): string => (body as { server: { id: string } }).server.id

/** Drafts and locks, which a write that was cut off leaves and the next one must remove. */
async function leftovers(scene: Scene): Promise<readonly string[]> {
  return (await readdir(scene.home)).filter((name) => name.startsWith('mcp-manager.json.'))
}

async function requireClean(scene: Scene): Promise<void> {
  const { status, body } = await scene.api('POST', '/api/servers', change('after-all'))
  if (status !== 201) throw new Error(`the next change answered ${status} ${JSON.stringify(body)}`)
  await scene.api('DELETE', `/api/servers/${idOf(body)}`)
  const left = await leftovers(scene)
  if (left.length > 0) throw new Error(`left beside the state file: ${left.join(', ')}`)
}

/** Reads the state file again and again until told to stop; what it held when it was no whole document. */
async function tornWhile(scene: Scene, signal: AbortSignal): Promise<string | undefined> {
  while (!signal.aborted) {
    const text = await readFile(scene.statePath, 'utf8')
    try {
      JSON.parse(text)
    } catch {
      // Of the text only its length: it holds secrets.
      return `${text.length} characters that are no JSON`
    }
    await sleep(20)
  }
  return undefined
}

const slowDisk: Fault = {
  fault: 'a slow disk',
  points: [
    {
      point: 'every step of a write takes 400 ms; calls go on meanwhile',
      long: true,
      async inject(scene) {
        await scene.restart(slow(400))
        await scene.holds()
        const written = new AbortController()
        let calls = 0
        const torn = tornWhile(scene, written.signal)
        const adding = scene.api('POST', '/api/servers', change('slowly')).finally(() => written.abort())
        // When a call below fails, that is what counts.
        adding.catch(() => undefined)
        while (!written.signal.aborted) {
          for (const id of [servers.local, servers.net]) await scene.echo(id, `while it writes ${++calls}`)
        }
        const { status, body } = await adding
        if (status !== 201) throw new Error(`the change answered ${status} ${JSON.stringify(body)}`)
        if ((await torn) !== undefined) throw new DataLost(`meanwhile the state file held: ${await torn}`)
        if (calls < 20) throw new Error(`only ${calls} calls went through during one write`)
        const removed = await scene.api('DELETE', `/api/servers/${idOf(body)}`)
        if (removed.status !== 200) throw new Error(`the removal answered ${removed.status}`)
        await scene.restart()
        return { note: `${calls} calls meanwhile` }
      },
    },
    {
      point: 'a process hangs for two seconds while it holds the lock',
      async inject(scene) {
        await using other = startChild(nodeBinary, [writer, scene.statePath, 'slow'], {})
        await other.waitForOutput(/^written \d+$/m)
        other.process.kill('SIGSTOP')
        const adding = scene.api('POST', '/api/servers', change('waits'))
        setTimeout(() => other.process.kill('SIGKILL'), 2_000)
        const { status, body } = await adding
        if (status !== 201) throw new Error(`the waiting change answered ${status}`)
        await scene.api('DELETE', `/api/servers/${idOf(body)}`)
      },
    },
  ],
}

/** What lies beside the state file, without process ids, and how much of the draft is written. */
async function pictureOf(scene: Scene): Promise<{ lock: boolean; lockDraft: boolean; draft: number; added: boolean }> {
  const names = await leftovers(scene)
  const draft = names.find((name) => name.endsWith('.draft') && !name.includes('.lock'))
  return {
    lock: names.includes('mcp-manager.json.refresh.lock'),
    lockDraft: names.some((name) => name.includes('.lock.') && name.endsWith('.draft')),
    draft: draft === undefined ? -1 : ((await stat(join(scene.home, draft)).catch(() => undefined))?.size ?? -1),
    added: (await readFile(scene.statePath, 'utf8')).includes('"cut-off"'),
  }
}

type Picture = Awaited<ReturnType<typeof pictureOf>>

/** The moments of a write at which the harness is killed. */
const moments: readonly (readonly [string, (picture: Picture) => boolean])[] = [
  ['when the draft of the lock is written', ({ lock, lockDraft }) => lockDraft && !lock],
  ['when the lock is taken', ({ lock, draft }) => lock && draft < 0],
  ['when the draft is begun', ({ draft }) => draft === 0],
  ['when the draft is written', ({ draft }) => draft > 0],
  ['when the file is replaced and the lock is held', ({ lock, added }) => lock && added],
]

const killedInWrite: Fault = {
  fault: 'kill -9 of the harness in the middle of a write',
  points: moments.map(([point, isNow]) => ({
    point,
    // Of the short form is the one whose draft holds every secret.
    long: point !== 'when the draft is written',
    async inject(scene: Scene) {
      await scene.restart(slow(400))
      const adding = scene.api('POST', '/api/servers', change('cut-off')).catch(() => undefined)
      await eventually('the moment comes', async () => isNow(await pictureOf(scene)))
      const [killed] = await Promise.all([scene.host().kill(), adding])
      if (killed.signal !== 'SIGKILL') throw new Error('the harness had ended by itself')
      const left = await leftovers(scene)
      if (left.length === 0) throw new Error('the harness was killed too late')
      await killHost(scene)
      await requireClean(scene)
      const { body } = await scene.api('GET', '/api/servers')
      const added = (body as { servers: { id: string; name: string }[] }).servers.find(({ name }) => name === 'cut-off')
      if (added !== undefined) await scene.api('DELETE', `/api/servers/${added.id}`)
      return { note: `${left.length} files left behind, and removed` }
    },
  })),
}

/** Disks that take their time. */
export const slowDisks: readonly Fault[] = [slowDisk, killedInWrite]
