import { eventually, oddStdio, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'
import { declareGlobal } from '../workspaces/scene.ts'

/** What a person who runs the host may have in the environment, by names that say so and by names that do not. */
const secrets = {
  DEEPSEEK_API_KEY: 'sk-host-1',
  DSH_LOGIN_COOKIE: 'sk-host-2',
  AWS_SECRET_ACCESS_KEY: 'sk-host-3',
  AWS_SESSION_TOKEN: 'sk-host-4',
  GITHUB_TOKEN: 'sk-host-5',
  github_pat: 'sk-host-6',
  MYSQL_PWD: 'sk-host-7',
  PGPASSWORD: 'sk-host-8',
  SSH_PASSPHRASE: 'sk-host-9',
  AZURE_CREDENTIALS: 'sk-host-10',
  REGISTRY_AUTH: 'sk-host-11',
  DATABASE_URL: 'postgres://app:sk-host-12@db.example/app',
  SENTRY_DSN: 'https://sk-host-13@sentry.example/1',
}
const harmless = { PLAIN_SETTING: 'kept', EDITOR: 'vi' }

interface TryAnswer {
  readonly content: readonly { readonly text?: string }[]
}

test('a server started by the real host gets none of its secrets but the one its declaration names', async () => {
  await using home = await temporaryHome()
  await declareGlobal(home.path, {
    curious: { type: 'stdio', ...oddStdio(), env: { MINE: '${GITHUB_TOKEN}', OWN_SECRET: 'declared-1' } },
  })
  await using host = await startWebHost({ home: home.path, plugins: ['manager'], env: { ...secrets, ...harmless } })
  await eventually('it is connected', async () => {
    const { body } = await callManager(host, 'GET', '/api/servers')
    return (body as { servers: { status: string }[] }).servers[0]?.status === 'connected'
  })
  const answer = await callManager(host, 'POST', '/api/servers/global-curious/try', { body: { tool: 'environment' } })
  const { env } = JSON.parse((answer.body as TryAnswer).content[0]!.text!) as { env: Record<string, string> }
  expect(env).toMatchObject({ ...harmless, MINE: secrets.GITHUB_TOKEN, OWN_SECRET: 'declared-1' })
  expect(Object.keys(env).filter((name) => Object.hasOwn(secrets, name))).toEqual([])
  const { MINE: _, ...others } = env
  expect(Object.values(others).filter((value) => value.includes('sk-host-'))).toEqual([])

  // What was left out is told by name, so that nobody has to guess why a server lacks it.
  const logs = JSON.stringify((await callManager(host, 'GET', '/api/servers/global-curious/logs')).body)
  expect(logs).toContain('DEEPSEEK_API_KEY')
  expect(logs).not.toContain('sk-host-')
  expect(logs).not.toContain('declared-1')
})
