import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireLock } from './file-lock.ts'
import { isGone, thisProcess } from './process-identity.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-lock-'))
  path = join(folder, 'lock')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '0'])
  await once(child, 'exit')
  return child.pid!
}

test('is exclusive, and free after release', async () => {
  const first = await acquireLock(path, 5_000)
  await expect(acquireLock(path, 50)).rejects.toMatchObject({ code: 'locked' })
  await first.release()
  const second = await acquireLock(path, 5_000)
  await second.release()
  expect(await readdir(folder)).toEqual([])
})

test('of a process that ended is taken', async () => {
  await writeFile(path, JSON.stringify({ pid: await deadPid(), host: hostname(), nonce: 'x' }))
  await (await acquireLock(path, 10_000)).release()
})

test('of a process whose number was given away is taken: the start time differs', async () => {
  await writeFile(path, JSON.stringify({ ...(await thisProcess()), started: 'long ago', nonce: 'x' }))
  await (await acquireLock(path, 10_000)).release()
})

test('of a living process is never taken, however old', async () => {
  const { utimes } = await import('node:fs/promises')
  await writeFile(path, JSON.stringify({ ...(await thisProcess()), nonce: 'x' }))
  await utimes(path, new Date(0), new Date(0))
  await expect(acquireLock(path, 300)).rejects.toMatchObject({ code: 'locked' })
})

test('of another machine is never taken', async () => {
  await writeFile(path, JSON.stringify({ pid: await deadPid(), host: 'elsewhere', nonce: 'x' }))
  await expect(acquireLock(path, 100)).rejects.toThrow(/on elsewhere/)
})

test('that another process has taken meanwhile is not released', async () => {
  const lock = await acquireLock(path, 5_000)
  const theirs = JSON.stringify({ ...(await thisProcess()), nonce: 'theirs' })
  await writeFile(path, theirs)
  await lock.release()
  expect(await readFile(path, 'utf8')).toBe(theirs)
})

test('that may still be in creation is not taken', async () => {
  await writeFile(path, '{"pid":')
  await expect(acquireLock(path, 300)).rejects.toMatchObject({ code: 'locked' })
})

test('torn in creation is taken', async () => {
  await writeFile(path, '{"pid":')
  await (await acquireLock(path, 30_000)).release()
})

test('that is written again and again is in creation, not torn', async () => {
  const writing = setInterval(() => void writeFile(path, '{"pid":'), 300)
  try {
    await writeFile(path, '{"pid":')
    await expect(acquireLock(path, 3_500)).rejects.toMatchObject({ code: 'locked' })
  } finally {
    clearInterval(writing)
  }
})

test('of a process that ended is taken by one of many at a time', async () => {
  const gone = JSON.stringify({ pid: await deadPid(), host: hostname(), nonce: 'x' })
  let holders = 0
  let most = 0
  const work = async (): Promise<void> => {
    const lock = await acquireLock(path, 30_000)
    most = Math.max(most, ++holders)
    await delay(1)
    holders--
    await lock.release()
  }
  for (let round = 0; round < 40; round++) {
    await writeFile(path, gone)
    await Promise.all(Array.from({ length: 8 }, work))
  }
  expect(most).toBe(1)
})

test('is not reclaimed while a marker of a crashed reclaimer stands', async () => {
  await writeFile(path, JSON.stringify({ pid: await deadPid(), host: hostname(), nonce: 'x' }))
  await writeFile(`${path}.reclaim`, '')
  await expect(acquireLock(path, 200)).rejects.toMatchObject({
    code: 'reclaim-needed',
    message: expect.stringContaining(`${path}.reclaim`),
  })
  await rm(`${path}.reclaim`)
  await (await acquireLock(path, 10_000)).release()
})

test('a process knows that it lives, and a zombie counts as gone', async () => {
  expect(await isGone(await thisProcess())).toBe(false)
  expect(await isGone({ pid: await deadPid(), host: hostname() })).toBe(true)
})
