import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@dsh-mcp/testkit'
import { afterEach, expect, test } from 'vitest'
import { createOrphanGuard } from './orphan-guard.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

/** A group of its own that ignores SIGTERM. */
async function stubborn(): Promise<ChildProcess & { readonly pid: number }> {
  const source = 'process.on("SIGTERM",()=>{});setInterval(()=>{},1e6);console.log("up")'
  const child = spawn(process.execPath, ['-e', source], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] })
  children.push(child)
  await once(child.stdout, 'data')
  return child as ChildProcess & { readonly pid: number }
}

test('ends what is still on its list when its input ends, and nothing else', async () => {
  const guard = createOrphanGuard()
  const [a, b, c] = await Promise.all([stubborn(), stubborn(), stubborn()])
  for (const { pid } of [a, b, c]) guard.add(pid)
  guard.drop(b.pid)
  guard.close()
  await eventually('the two are gone', () => a.signalCode === 'SIGKILL' && c.signalCode === 'SIGKILL')
  expect(b.exitCode).toBeNull()
  expect(b.signalCode).toBeNull()
})

test('leaves no process of its own when the list is empty, and works again after that', async () => {
  const guard = createOrphanGuard()
  const [a, b] = await Promise.all([stubborn(), stubborn()])
  guard.add(a.pid)
  guard.drop(a.pid)
  guard.add(b.pid)
  guard.close()
  await eventually('the second is gone', () => b.signalCode === 'SIGKILL')
  expect(a.signalCode).toBeNull()
})

test('on Windows names each tree to taskkill', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-guard-'))
  const path = process.env.PATH
  try {
    // A taskkill that only writes down what it was asked.
    await writeFile(join(folder, 'taskkill'), `#!/bin/sh\necho "$@" >> '${folder}/calls'\n`)
    await chmod(join(folder, 'taskkill'), 0o755)
    process.env.PATH = `${folder}:${path}`
    const guard = createOrphanGuard('win32')
    for (const root of [11, 22, 33]) guard.add(root)
    guard.drop(22)
    guard.close()
    const calls = await eventually('taskkill was called twice', async () => {
      const text = await readFile(join(folder, 'calls'), 'utf8')
      return text.split('\n').length > 2 ? text : undefined
    })
    expect(calls).toBe('/PID 11 /T /F\n/PID 33 /T /F\n')
  } finally {
    process.env.PATH = path
    await rm(folder, { recursive: true })
  }
})
