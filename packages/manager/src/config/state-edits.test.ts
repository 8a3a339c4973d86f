import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { eventually } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { openStateFile } from './open-state-file.ts'

const program = fileURLToPath(new URL('state-edits.program.ts', import.meta.url))

async function edits(processes: number, count: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-edits-'))
  try {
    const path = join(folder, 'mcp-manager.json')
    const children = Array.from({ length: processes }, (_, index) =>
      spawn(process.execPath, [program, path, `p${index}`, String(count)], { stdio: ['ignore', 'ignore', 'pipe'] }),
    )
    const errors: string[] = []
    for (const child of children) child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
    const codes = await Promise.all(children.map(async (child) => ((await once(child, 'close')) as [number])[0]))
    expect(codes, errors.join('')).toEqual(children.map(() => 0))
    const document = JSON.parse(await readFile(path, 'utf8')) as { servers: unknown[] }
    expect(document.servers).toHaveLength(processes * count)
    expect(Object.keys(document)).toHaveLength(processes * count + 1)
    expect(await readdir(folder)).toEqual(['mcp-manager.json'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

test('three processes × 200 parallel edits lose nothing', () => edits(3, 200), 240_000)

test('a process killed at any moment leaves a whole file, and the next one goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-mcp-killed-'))
  const path = join(folder, 'mcp-manager.json')
  try {
    let least = 0
    for (let round = 0; round < 12; round++) {
      const child = spawn(process.execPath, [program, path, `k${round}`, '500'], { stdio: 'ignore' })
      const closed = once(child, 'close')
      // It has begun to write, and is somewhere in the middle of it.
      await eventually('it writes', async () => {
        const text = await readFile(path, 'utf8').catch(() => '')
        return text.includes(`k${round}-`) || child.exitCode !== null
      })
      await new Promise((resolve) => setTimeout(resolve, round * 7))
      child.kill('SIGKILL')
      await closed
      const document = JSON.parse(await readFile(path, 'utf8')) as { servers: unknown[] }
      expect(document.servers.length).toBeGreaterThanOrEqual(least)
      expect(Object.keys(document)).toHaveLength(document.servers.length + 1)
      least = document.servers.length
      // A process killed while it cleared away the lock of the one before needs a person, as it should.
      await rm(`${path}.refresh.lock.reclaim`, { force: true })
    }
    const state = openStateFile(path, { pollMs: 0 })
    await state.update((draft) => void (draft.last = 'written'))
    await state.close()
    const document = JSON.parse(await readFile(path, 'utf8')) as { servers: unknown[]; last: string }
    expect(document.servers).toHaveLength(least)
    expect(document.last).toBe('written')
    expect(await readdir(folder)).toEqual(['mcp-manager.json'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)
