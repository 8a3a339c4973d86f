import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import {
  eventually,
  freePort,
  nodeBinary,
  processesWith,
  repositoryRoot,
  startChild,
  temporaryHome,
} from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { snippetsFor } from './documents/proofs.ts'

const main = join(repositoryRoot, 'scripts', 'start', 'main.ts')

function npmStart(...args: string[]) {
  const env = { ...process.env, DEEPSEEK_API_KEY: '' }
  return startChild(nodeBinary, [main, ...args], { cwd: repositoryRoot, env, input: '' })
}

/** The two commands of the README, as they stand there. */
const [plain, check] = snippetsFor('npm start').map(({ text }) => text.split(' '))

test('the README tells of npm start and of its proof', () => {
  expect([plain, check]).toEqual([
    ['npm', 'start'],
    ['npm', 'start', '--', '--check'],
  ])
})

test('npm start -- --check proves both directions and exits 0', async () => {
  const [npm, ...args] = check!
  const env = { ...process.env, DEEPSEEK_API_KEY: '' }
  await using child = startChild(npm!, args, { cwd: repositoryRoot, env, input: '' })
  const { code } = await child.exited
  expect(child.stdout()).toContain('All proofs hold')
  expect(code).toBe(0)
}, 120_000)

test('npm start prints where things are, answers, and stops on SIGTERM', async () => {
  await using home = await temporaryHome()
  const port = await freePort()
  await using child = npmStart('--port', String(port), '--home', home.path)
  await child.waitForOutput(/Stop with Ctrl-C/)
  const printed = child.stdout()
  expect(printed).toContain(`http://127.0.0.1:${port}/mcp`)
  expect(printed).toContain('claude mcp add dsh')
  const endpoint = join(home.path, 'mcp', 'dsh-mcp-endpoint.json')
  const { token } = (await import(endpoint, { with: { type: 'json' } })).default as { token: string }
  expect(printed).not.toContain(token)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  expect(page.status).toBe(200)
  await page.body?.cancel()
  const { code } = await child.stop()
  expect(code).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed')
})

test('ending npm itself ends all that it started', async () => {
  await using home = await temporaryHome()
  const port = await freePort()
  // Its usual port may be taken, and its usual home may be in use.
  const [command, ...args] = [...plain!, '--', '--port', String(port), '--home', home.path]
  // The sample server is given nothing of the environment but the PATH.
  const env = {
    ...process.env,
    DEEPSEEK_API_KEY: '',
    PATH: `${process.env.PATH}${delimiter}${join(home.path, 'mark')}`,
  }
  await using npm = startChild(command, args, { cwd: repositoryRoot, env })
  await npm.waitForOutput(/Stop with Ctrl-C/)
  expect((await processesWith(home.path)).length).toBeGreaterThan(3)
  npm.process.kill('SIGTERM')
  await eventually('all processes are gone', async () => (await processesWith(home.path)).length === 0)
}, 120_000)

test('a taken port and a broken state file are one clear line each', async () => {
  await using home = await temporaryHome()
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  try {
    await using taken = npmStart('--port', String(port), '--home', home.path)
    expect(await taken.exited).toMatchObject({ code: 1 })
    expect(taken.stderr()).toBe(
      `dsh-mcp: Port ${port} for the page is taken. Stop what uses it, or choose another with \`npm start -- --port N\`.\n`,
    )
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  await writeFile(join(home.path, 'mcp-manager.json'), '{')
  await using broken = npmStart('--port', '0', '--home', home.path)
  expect(await broken.exited).toMatchObject({ code: 1 })
  expect(broken.stderr()).toMatch(/^dsh-mcp: .*mcp-manager\.json is not valid JSON\. Repair it.*\n$/)
})
