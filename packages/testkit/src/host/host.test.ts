import { expect, test } from 'vitest'
import { runHeadless } from './headless.ts'
import { temporaryHome } from './home.ts'
import { startWebHost } from './web.ts'
import { modelRequests } from '../model/requests.ts'

test('a headless run plays the script and prints the last answer', async () => {
  await using home = await temporaryHome()
  const run = await runHeadless({
    home: home.path,
    task: 'call bash {"command":"echo from-the-shell","description":"say it"}',
  })
  expect(run).toMatchObject({ code: 0 })
  expect(run.stdout).toContain('from-the-shell')
  const [first] = await modelRequests(home.path)
  expect(first?.tools).toContain('bash')
})

test('the web host answers its API and leaves no process when disposed', async () => {
  await using home = await temporaryHome()
  let pid: number
  {
    await using host = await startWebHost({ home: home.path })
    pid = host.child.pid
    expect(await host.api('session.list', {})).toHaveProperty('items')
  }
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})
