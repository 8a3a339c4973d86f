import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runHeadless, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'

const row = fileURLToPath(new URL('host-visits.program.ts', import.meta.url))
const patches = [JSON.stringify([{ insert: [{ id: 'visits', name: row }] }])]

test('on the web profile a new and a resumed session are visited, and a failing visit stops neither', async () => {
  await using home = await temporaryHome()
  const log = join(home.path, 'visits.log')
  const content = [{ type: 'text', text: 'say hello' }]
  let sessionId: string
  {
    await using host = await startWebHost({ home: home.path, patches })
    ;({ sessionId } = await host.api<{ sessionId: string }>('session.create', { cwd: home.path }))
    await host.api('session.prompt', { sessionId, mode: 'queue', content })
    expect(await readFile(log, 'utf8')).toBe(`arrive ${home.path}\nError: a visit that fails\n`)
  }
  await using host = await startWebHost({ home: home.path, patches })
  await host.api('session.prompt', { sessionId, mode: 'queue', content })
  const visits = (await readFile(log, 'utf8')).split('\n').filter((line) => line.startsWith('arrive'))
  expect(visits).toEqual([`arrive ${home.path}`, `arrive ${home.path}`])
})

test('in the headless profile the agent is visited before its first request', async () => {
  await using home = await temporaryHome()
  const run = await runHeadless({ home: home.path, patches, task: 'say done' })
  expect(run).toMatchObject({ code: 0, stdout: expect.stringContaining('done') as string })
  expect(await readFile(join(home.path, 'visits.log'), 'utf8')).toContain(`arrive ${home.path}`)
})
