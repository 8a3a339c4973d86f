import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launchBrowser, startProtectedServer, startQuirkyAuthorizationServer } from '@dsh-mcp/testkit'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { closeTabs, openMcpPage, startScene, type Scene } from './mcp-page.ts'

const secret = 'the-robots-own-secret'
let scene: Scene

beforeAll(async () => {
  scene = await startScene({ env: { ROBOT_SECRET: secret } })
})
afterEach(() => closeTabs(scene))
afterAll(() => scene[Symbol.asyncDispose]())

async function stored(name: string): Promise<object | undefined> {
  const text = await readFile(join(scene.home, 'mcp-manager.json'), 'utf8')
  expect(text).not.toContain(secret)
  const { servers } = JSON.parse(text) as { servers: { name: string }[] }
  return servers.find((server) => server.name === name)
}

test('a client that logs in by itself is set up on the page and connects without a login', async () => {
  await using provider = await startQuirkyAuthorizationServer({ clients: { robot: secret }, expiresIn: 3600 })
  await using target = await startProtectedServer({
    authorizationServers: [provider.issuer],
    async verify(token) {
      const scopes = provider.scopesOf(token)
      return scopes === undefined ? undefined : { scopes }
    },
  })
  const mcp = await openMcpPage(scene.browser, scene.host.url)
  const { section, t } = mcp
  await mcp.press(t('addServer'))
  await mcp.field(t('fieldName')).fill('jobs')
  await mcp.field(t('fieldUrl')).fill(target.url)
  await section.getByText(t('optionalFields')).click()
  await section.getByText(t('oauthAdvanced')).click()
  await section.getByLabel(t('grantMachine')).check()
  expect(await mcp.violations()).toEqual([])

  // A problem in a folded part unfolds it, and the field has the focus.
  await section.getByText(t('optionalFields')).click()
  expect(await mcp.field(t('fieldClientId')).isVisible()).toBe(false)
  await mcp.press(t('save'))
  await section.getByText(t('problemSecretOrKey')).waitFor()
  await mcp.field(t('fieldClientId')).and(mcp.page.locator(':focus')).waitFor()
  await mcp.page.keyboard.type('robot')
  await mcp.field(t('fieldClientSecretEnv')).fill('ROBOT_TYPO')
  await mcp.press(t('test'))
  await section.getByText(t('testFailed')).waitFor()
  await section.locator('.mcp-reason').getByText('ROBOT_TYPO is not set').waitFor()
  await mcp.field(t('fieldClientSecretEnv')).fill('ROBOT_SECRET')
  await mcp.press(t('save'))
  await mcp.connected('jobs')
  const card = await mcp.unfold('jobs')
  await card.getByRole('button', { name: t('reconnect'), exact: true }).waitFor()
  for (const label of ['authenticate', 'reauthenticate', 'logout'] as const) {
    expect(await card.getByRole('button', { name: t(label), exact: true }).count(), label).toBe(0)
  }
  expect(await mcp.page.content()).not.toContain(secret)
  expect(await stored('jobs')).toMatchObject({
    oauthGrant: 'client_credentials',
    clientId: 'robot',
    clientSecretEnv: 'ROBOT_SECRET',
  })
})

test('what a file holds comes into the form and out again; in Chinese and on a narrow page too', async () => {
  const login = {
    clientId: 'robot',
    oauthGrant: 'client_credentials',
    oauthResource: false,
    privateKeyEnv: 'ROBOT_KEY',
    privateKeyAlgorithm: 'EdDSA',
  }
  await callManager(scene.host, 'POST', '/api/servers', {
    body: { name: 'keyed', url: 'http://127.0.0.1:9/', ...login },
  })
  await using browser = await launchBrowser({ locale: 'zh-CN' })
  const mcp = await openMcpPage(browser, scene.host.url, 'zh')
  const { section, t } = mcp
  await mcp.page.setViewportSize({ width: 360, height: 740 })
  const edit = async (): Promise<void> => {
    await (await mcp.unfold('keyed')).getByRole('button', { name: t('edit'), exact: true }).click()
    await section.getByText(t('optionalFields')).click()
  }
  await edit()
  expect(await section.getByLabel(t('grantMachine')).isChecked()).toBe(true)
  expect(await section.getByLabel(t('fieldOauthResource')).isChecked()).toBe(false)
  expect(await mcp.field(t('fieldPrivateKeyEnv')).inputValue()).toBe('ROBOT_KEY')
  expect(await mcp.field(t('fieldPrivateKeyAlgorithm')).inputValue()).toBe('EdDSA')
  expect(await mcp.tooWide()).toEqual([])
  expect(await mcp.violations()).toEqual([])
  await mcp.press(t('save'))
  await mcp.card('keyed').waitFor()
  expect(await stored('keyed')).toMatchObject(login)

  await edit()
  await mcp.field(t('fieldPrivateKeyAlgorithm')).selectOption('RS256')
  await section.getByLabel(t('fieldOauthResource')).check()
  await section.getByLabel(t('grantPerson')).check()
  expect(await mcp.field(t('fieldPrivateKeyEnv')).count()).toBe(0)
  await section.getByLabel(t('grantMachine')).check()
  await mcp.press(t('save'))
  await mcp.card('keyed').waitFor()
  const { oauthResource: _, ...rest } = login
  const after = await stored('keyed')
  expect(after).toMatchObject({ ...rest, privateKeyAlgorithm: 'RS256' })
  expect(after).not.toHaveProperty('oauthResource')
})
