import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { delegateTo } from './delegate.ts'

test('a session that a client starts stands in its workspace on the page, with what was said', async () => {
  await using home = await temporaryHome()
  const root = await realpath(home.path)
  const [one, two] = [join(root, 'first-project'), join(root, 'second-project')]
  await mkdir(one)
  await mkdir(two)
  await using host = await startWebHost({ home: home.path, plugins: ['server'] })
  const { workspace } = await host.api<{ workspace: { workspaceId: string } }>('workspace.create', { path: one })
  await host.api('workspace.create', { path: two })
  await using agent = await delegateTo(home.path, 'page')
  const started = await agent.call('dsh_start_session', {
    workspaceId: workspace.workspaceId,
    prompt: 'say Written for the page.',
    title: 'Delegated from outside',
  })
  expect(started).toMatchObject({ workspaceId: workspace.workspaceId, cwd: one })
  await agent.call('dsh_wait_session', { sessionId: started.sessionId, messageId: started.messageId })

  const { items } = await host.api<{
    items: readonly { readonly workspaceId: string; readonly path: string; readonly sessionIds: readonly string[] }[]
  }>('workspace.list', {})
  expect(items.find((item) => item.path === one)!.sessionIds).toEqual([started.sessionId])
  expect(items.find((item) => item.path === two)!.sessionIds).toEqual([])

  await using browser = await launchBrowser()
  const page = await browser.context.newPage()
  await page.goto(host.url)
  const entry = page.getByText('Delegated from outside').first()
  await entry.waitFor({ timeout: 30_000 })
  await entry.click()
  await page.getByText('Written for the page.', { exact: true }).first().waitFor({ timeout: 30_000 })

  // What is said later shows without a reload.
  await agent.call('dsh_send_message', { sessionId: started.sessionId, message: 'say Said while you look.' })
  await page.getByText('Said while you look.', { exact: true }).first().waitFor({ timeout: 30_000 })

  // An approval that is answered from outside leaves no prompt behind on the page.
  const call = JSON.stringify({
    command: 'echo escalated',
    description: 'escalate',
    sandbox_permissions: 'danger-full-access',
    justification: 'Seen on the page',
  })
  const asked = await agent.call('dsh_send_message', {
    sessionId: started.sessionId,
    message: `call bash ${call}\nsay Answered from outside.`,
  })
  const { interactions } = await agent.call('dsh_wait_session', {
    sessionId: started.sessionId,
    messageId: asked.messageId,
  })
  const prompt = page.getByText('Seen on the page').first()
  await prompt.waitFor({ timeout: 30_000 })
  await agent.call('dsh_answer_approval', { interactionId: interactions[0]!.interactionId, decision: 'allow-once' })
  await page.getByText('Answered from outside.', { exact: true }).first().waitFor({ timeout: 30_000 })
  const { interactions: left } = await agent.call('dsh_list_interactions')
  expect(left).toEqual([])
})
