import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

test.each([[[]], [['no-such-bench']]])('without a known name (%j) it lists the names and exits 2', (args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' })
  expect(status).toBe(2)
  expect(stdout).toBe('')
  expect(stderr).toContain('One of: ')
  expect(stderr).not.toContain('main')
})
