import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  eventually,
  startAuthorizationServer,
  startProtectedServer,
  type AuthorizationServer,
  type AuthorizationServerOptions,
  type ProtectedServer,
} from '@dsh-mcp/testkit'
import type { Fault } from '../fault.ts'
import { killHost } from '../kill-host.ts'
import { DataLost, type Scene } from '../scene.ts'

/** A server of the scene that a person has logged in to, at a real authorization server. */
interface Login {
  readonly provider: AuthorizationServer
  readonly target: ProtectedServer
  /** The refresh token that stands in the state file. */
  kept(): Promise<string>
  /** Calls a tool; resolves with whether that went well. */
  call(): Promise<boolean>
  status(): Promise<string>
  logIn(): Promise<void>
}

interface StoredServer {
  readonly id: string
  readonly oauth?: { readonly tokens?: { readonly refresh_token?: string; readonly access_token?: string } }
}

async function withLogin(
  scene: Scene,
  options: AuthorizationServerOptions,
  use: (login: Login) => Promise<void>,
): Promise<void> {
  await using provider = await startAuthorizationServer(options)
  await using target = await startProtectedServer({
    authorizationServers: [provider.origin],
    challengeScope: 'mcp:read',
  })
  const declared = { body: { name: 'logged-in', type: 'http', url: target.url } }
  const { status, body } = await scene.api('POST', '/api/servers', declared)
  if (status !== 201) throw new Error(`the server could not be declared: ${status} ${JSON.stringify(body)}`)
  const { id } = (body as { server: { id: string } }).server
  const login: Login = {
    provider,
    target,
    async kept() {
      const { servers } = JSON.parse(await readFile(scene.statePath, 'utf8')) as { servers: readonly StoredServer[] }
      const { refresh_token: refresh, access_token: access } =
        servers.find((server) => server.id === id)?.oauth?.tokens ?? {}
      if (refresh === undefined || access === undefined) throw new DataLost('the tokens are gone from the state file')
      scene.keepSecret(refresh)
      scene.keepSecret(access)
      return refresh
    },
    async call() {
      const request = { body: { tool: 'whoami', arguments: {} } }
      const answer = await scene.api('POST', `/api/servers/${id}/try`, request).catch(() => undefined)
      return answer?.status === 200 && (answer.body as { isError?: boolean }).isError !== true
    },
    async status() {
      const { body: listed } = await scene.api('GET', '/api/servers')
      const found = (listed as { servers: { id: string; status: string }[] }).servers.find((one) => one.id === id)
      return found?.status ?? 'absent'
    },
    async logIn() {
      const begun = await scene.api('POST', `/api/servers/${id}/auth`)
      const { authorizeUrl } = begun.body as { authorizeUrl: string }
      const page = await fetch(await provider.login(authorizeUrl))
      scene.see('the page after a login', await page.text())
      await eventually('the server is connected', async () => (await login.status()) === 'connected')
    },
  }
  try {
    await eventually('the server waits for a login', async () => (await login.status()) === 'needs-auth')
    await login.logIn()
    await login.kept()
    await use(login)
    for (const { refreshToken } of provider.tokenRequests)
      if (refreshToken !== undefined) scene.keepSecret(refreshToken)
    for (const field of target.authorizations) if (field !== undefined) scene.keepSecret(field.replace('Bearer ', ''))
  } finally {
    await scene.api('DELETE', `/api/servers/${id}`)
  }
}

/** Lets a refresh get as far as `hold` and kills the harness there. */
async function killInRefresh(
  scene: Scene,
  { provider, target, call }: Login,
  hold: 'request' | 'answer',
): Promise<void> {
  provider.holdTokens = hold
  target.expireTokens()
  const calling = call()
  await eventually('a refresh has come that far', () => provider.held > 0)
  await killHost(scene)
  await calling
  provider.holdTokens = undefined
}

async function requireLogin({ call, provider }: Login): Promise<void> {
  await eventually('the login still works', call).catch((error: unknown) => {
    throw new DataLost(`the login is lost: ${JSON.stringify(provider.tokenRequests)} ${String(error)}`)
  })
}

async function whileTokensRotate(scene: Scene, ms: number): Promise<{ note: string }> {
  let note = ''
  await withLogin(scene, {}, async (login) => {
    const { provider, target } = login
    const refreshes = () => provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token')
    let confirmed = 0
    const ended = new AbortController()
    const calling = (async () => {
      while (!ended.signal.aborted) {
        target.expireTokens()
        if (!(await login.call())) return
        confirmed = refreshes().length
      }
    })()
    await eventually('the first refresh is saved', () => confirmed > 0)
    await sleep(ms)
    const killed = scene.host().kill()
    ended.abort()
    await Promise.all([killed, calling])
    const kept = await login.kept()
    const granted = refreshes().filter(({ ok }) => ok)
    const spent = granted.findIndex(({ refreshToken }) => refreshToken === kept)
    // The answer that was on its way when the harness died is in nobody's hands; any before it must have been saved.
    if (spent >= 0 && spent < granted.length - 1)
      throw new DataLost(`${granted.length - spent} refreshes were not saved`)
    if (spent >= 0 && spent < confirmed) throw new DataLost('a refresh whose token was used was not saved')
    await killHost(scene)
    if (spent < 0) await requireLogin(login)
    else await login.logIn()
    note = `${confirmed} refreshes before, the last one ${spent < 0 ? 'saved' : 'under way'}`
  })
  return { note }
}

const killedInRefresh: Fault = {
  fault: 'kill -9 of the harness during a token refresh',
  points: [
    {
      point: 'before the provider has seen it',
      inject: (scene) =>
        withLogin(scene, {}, async (login) => {
          await killInRefresh(scene, login, 'request')
          await requireLogin(login)
        }),
    },
    {
      point: 'before its answer, at a provider whose refresh tokens stay valid',
      long: true,
      inject: (scene) =>
        withLogin(scene, { rotateRefreshTokens: false }, async (login) => {
          await killInRefresh(scene, login, 'answer')
          await requireLogin(login)
        }),
    },
    {
      // The new token never reached this machine. What must hold: nothing else is lost, and one login heals it.
      point: 'before its answer, at a provider that has already spent the old token',
      long: true,
      inject: (scene) =>
        withLogin(scene, {}, async (login) => {
          const before = await login.kept()
          await killInRefresh(scene, login, 'answer')
          if ((await login.kept()) !== before) throw new DataLost('the stored token changed without an answer')
          await eventually('a login is asked for', async () => (await login.status()) === 'needs-auth')
          await login.logIn()
          await requireLogin(login)
        }),
    },
    ...[5, 60, 140].map((ms) => ({
      point: `while tokens rotate with every call, after ${ms} ms`,
      long: true,
      inject: (scene: Scene) => whileTokensRotate(scene, ms),
    })),
  ],
}

/** Logins, whose tokens only this machine holds. */
export const logins: readonly Fault[] = [killedInRefresh]
