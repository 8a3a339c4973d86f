import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

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
