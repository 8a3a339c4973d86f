import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { modelRequests, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { delegateTo } from './delegate.ts'

async function settings(home: string): Promise<string> {
  return readFile(join(home, 'settings.yaml'), 'utf8')
}

test("a session's model changes for that session alone; the user's default stays what it was", async () => {
  await using home = await temporaryHome()
  await using host = await startWebHost({ home: home.path, plugins: ['server'] })
  await using agent = await delegateTo(home.path, 'models')
  const vision = { provider: 'scripted', model: 'scripted-vision' }
  const cwd = home.path

  const a = await agent.call('dsh_start_session', { cwd, prompt: 'say one' })
  await agent.call('dsh_wait_session', { sessionId: a.sessionId, messageId: a.messageId })
  const updated = await agent.call('dsh_update_session', { sessionId: a.sessionId, ...vision })
  expect(updated).toMatchObject({ applied: ['model'], model: vision })
  const b = await agent.call('dsh_start_session', { cwd, prompt: 'say two' })
  const fromPage = await host.api<{ sessionId: string }>('session.create', { cwd })
  await agent.call('dsh_send_message', { sessionId: fromPage.sessionId, message: 'say three' })
  const again = await agent.call('dsh_send_message', { sessionId: a.sessionId, message: 'say four' })
  const c = await agent.call('dsh_start_session', { cwd, prompt: 'say five', ...vision })
  for (const each of [a, b, c, fromPage]) await agent.call('dsh_wait_session', { sessionId: each.sessionId })
  await agent.call('dsh_wait_session', { sessionId: a.sessionId, messageId: again.messageId })

  expect(await agent.call('dsh_list_models')).toMatchObject({ default: { provider: 'scripted', model: 'scripted' } })
  // Not even the default itself is written down, so that a later change of the composition's default still counts.
  expect(await settings(home.path)).not.toContain('scripted')
  const used = (await modelRequests(home.path)).map(({ sessionId, model }) => [sessionId, model])
  expect(used).toHaveLength(5)
  expect(used).toEqual(
    expect.arrayContaining([
      [a.sessionId, 'scripted'],
      [b.sessionId, 'scripted'],
      [fromPage.sessionId, 'scripted'],
      [a.sessionId, 'scripted-vision'],
      [c.sessionId, 'scripted-vision'],
    ]),
  )
  // Choosing what is the default anyway leaves no trace either.
  await agent.call('dsh_update_session', { sessionId: b.sessionId, provider: 'scripted', model: 'scripted' })
  expect(await settings(home.path)).not.toContain('scripted')
  // The page shows the same.
  const page = await host.api<{ current: object }>('session.models', { sessionId: a.sessionId })
  expect(page.current).toMatchObject(vision)
  const pageC = await host.api<{ current: object }>('session.models', { sessionId: c.sessionId })
  expect(pageC.current).toMatchObject(vision)

  // A later choice on the page wins.
  await host.api('session.selectModel', { sessionId: c.sessionId, provider: 'scripted', model: 'scripted' })
  const last = await agent.call('dsh_send_message', { sessionId: c.sessionId, message: 'say six' })
  await agent.call('dsh_wait_session', { sessionId: c.sessionId, messageId: last.messageId })
  expect((await modelRequests(home.path)).at(-1)).toMatchObject({ sessionId: c.sessionId, model: 'scripted' })
})

test('nothing changes when one part of an update cannot be', async () => {
  await using home = await temporaryHome()
  await using _host = await startWebHost({ home: home.path, plugins: ['server'] })
  await using agent = await delegateTo(home.path, 'models')
  const { sessionId } = await agent.call('dsh_start_session', { cwd: home.path, prompt: 'say hi', title: 'Before' })
  await agent.call('dsh_wait_session', { sessionId })
  const refusals = await Promise.all([
    agent.refused('dsh_update_session', { sessionId, title: 'After', provider: 'nope', model: 'x' }),
    agent.refused('dsh_update_session', { sessionId, title: 'After', permissionPreset: 'nope' }),
    agent.refused('dsh_update_session', { sessionId, title: 'After', reasoningEffort: 'huge' }),
    agent.refused('dsh_update_session', { sessionId, title: 'After', archived: false }),
    agent.refused('dsh_update_session', { sessionId }),
    agent.refused('dsh_update_session', { sessionId: 'absent', title: 'After' }),
  ])
  expect(refusals.map((refusal) => refusal.code)).toEqual([
    'model_unavailable',
    'preset_not_found',
    'model_unavailable',
    'invalid_argument',
    'invalid_argument',
    'session_not_found',
  ])
  expect(await agent.call('dsh_get_session', { sessionId })).toMatchObject({ title: 'Before' })

  const done = await agent.call('dsh_update_session', { sessionId, title: 'After', archived: true })
  expect(done).toMatchObject({ applied: ['title', 'archived'], session: { title: 'After', archived: true } })
  expect((await agent.call('dsh_list_sessions'))['total']).toBe(0)
  expect((await agent.call('dsh_list_sessions', { includeArchived: true }))['total']).toBe(1)
})

test('images reach a model that takes them and are refused for one that does not', async () => {
  await using home = await temporaryHome()
  await using _host = await startWebHost({ home: home.path, plugins: ['server'], env: { DSH_MCP_TEST_RECORD: 'full' } })
  await using agent = await delegateTo(home.path, 'images')
  // One red pixel.
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
  const images = [{ mediaType: 'image/png', data }]
  const vision = { provider: 'scripted', model: 'scripted-vision' }
  const { sessionId, messageId } = await agent.call('dsh_start_session', {
    cwd: home.path,
    prompt: 'say seen',
    images,
    ...vision,
  })
  expect((await agent.call('dsh_wait_session', { sessionId, messageId })).reply!.text).toBe('seen')
  const [request] = await modelRequests(home.path)
  expect(JSON.stringify(request!.messages)).toContain('"type":"image"')

  const blind = await agent.refused('dsh_start_session', { cwd: home.path, prompt: 'say no', images })
  expect(blind.code).toBe('model_unavailable')
  const broken = [{ mediaType: 'image/png', data: 'not base64!' }]
  const refusal = await agent.refused('dsh_send_message', { sessionId, message: 'say no', images: broken })
  expect(refusal.code).toBe('invalid_argument')
})
