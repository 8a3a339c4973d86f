import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  eventually,
  oddStdio,
  processesWith,
  startOddHttp,
  startWebHost,
  temporaryHome,
  type OddHttp,
  type WebHost,
} from '@dsh-mcp/testkit'
import { callManager, type ApiAnswer, type ApiRequest } from '../manager/api-client.ts'
import { startFaultyWire, type FaultyWire } from './faulty-wire.ts'
import { createLeakWatch, drawSecrets, filesOpenToOthers, leaksInFiles, type Secrets } from './secrets.ts'

/** Answer of the MCP endpoint, as far as the suite looks at it. */
export interface McpAnswer {
  readonly status: number
  readonly text: string
}

/** One home with a harness that runs both plugins, and everything it must not lose. */
export interface Scene extends AsyncDisposable {
  readonly home: string
  readonly statePath: string
  readonly secrets: Secrets
  /** Stands in the environment of every stdio server of this scene. */
  readonly mark: string
  /** The way to the HTTP server `net`. */
  readonly wire: FaultyWire
  readonly peer: OddHttp
  /** The harness that runs now. */
  host(): WebHost
  /** Starts another harness on the same home and makes it the one that runs. */
  restart(env?: NodeJS.ProcessEnv): Promise<WebHost>
  /** Kills a harness that {@link Scene.restart} has begun to start and that has not told its address yet. */
  killStarting(): Promise<void>
  /** Starts a further harness on the same home, which the caller ends. */
  second(): Promise<WebHost>
  /** Calls the page's API; what comes back is looked through for secrets. */
  api(method: string, path: string, request?: ApiRequest): Promise<ApiAnswer>
  /** Sends one body to `POST /mcp` with the published token. */
  mcp(body: string | Uint8Array<ArrayBuffer>, headers?: Readonly<Record<string, string>>): Promise<McpAnswer>
  /** Calls `echo` of a server and returns its text. Rejects when anything else comes. */
  echo(id: string, text: string): Promise<string>
  /** Lets the next token of the endpoint be another one: the file that holds it was damaged on purpose. */
  tokenIsGone(): void
  /** One more value that must not come out, now or later. */
  keepSecret(value: string): void
  /** Lets text from elsewhere (a bridge, a client) be looked through for secrets too. */
  see(where: string, text: string): void
  /**
   * What must hold whatever happened: the harness answers, the servers and logins of the beginning stand in the file
   * as they were, both servers can be called, the MCP endpoint lists its tools under the token it had, no process is left
   * over, no secret has come out, files with secrets are their owner's alone, and no harness wrote of an error that nobody
   * caught. Rejects with the first that does not.
   */
  holds(): Promise<void>
}

/** Ids of the servers every scene declares. */
export const servers = { local: 'srv-local', net: 'srv-net', login: 'srv-login' } as const

function declaration(mark: string, url: string, secrets: Secrets): Record<string, unknown> {
  const oauth = {
    clientId: 'registered',
    clientSecret: secrets.clientSecret,
    authorizationServer: 'http://127.0.0.1:1',
    lastRefreshAt: 1,
    tokens: { access_token: secrets.accessToken, refresh_token: secrets.refreshToken },
    kept: 'by an older version',
  }
  return {
    servers: [
      {
        id: servers.local,
        name: 'local',
        type: 'stdio',
        ...oddStdio(),
        env: { DSH_MCP_TEST_MARK: mark, SECRET: secrets.env },
        timeout: 20_000,
      },
      {
        id: servers.net,
        name: 'net',
        type: 'http',
        url,
        authMode: 'none',
        headers: { 'x-key': secrets.header },
        timeout: 2_000,
      },
      { id: servers.login, name: 'login', type: 'http', url: 'http://127.0.0.1:1/mcp', enabled: false, oauth },
    ],
    workspaceTokens: { '/somewhere\nremote': { oauth: { tokens: { refresh_token: secrets.refreshToken } } } },
    workspaceConsents: { '/somewhere': ['allowed'] },
    ofAnotherProgram: { kept: true },
  }
}

async function publishedEndpoint(home: string): Promise<{ url: string; token: string }> {
  return JSON.parse(await readFile(join(home, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')) as {
    url: string
    token: string
  }
}

function firstDifference(expected: Record<string, unknown>, found: Record<string, unknown>): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    if (key === 'servers') continue
    if (JSON.stringify(found[key]) !== JSON.stringify(value)) return `"${key}" of the state file`
  }
  const list = Array.isArray(found['servers']) ? (found['servers'] as Record<string, unknown>[]) : []
  for (const server of expected['servers'] as Record<string, unknown>[]) {
    const now = list.find(({ id }) => id === server['id'])
    if (JSON.stringify(now) !== JSON.stringify(server)) return `server "${String(server['name'])}" of the state file`
  }
  return undefined
}

/** Opens a scene: a home with three servers and two logins, and a harness on it whose servers are connected. */
export async function openScene(): Promise<Scene> {
  const temporary = await temporaryHome()
  const home = await realpath(temporary.path)
  const secrets = drawSecrets()
  const mark = `faults-${process.pid}-${secrets.env.slice(3, 15)}`
  const peer = await startOddHttp()
  const wire = await startFaultyWire(new URL(peer.url))
  const statePath = join(home, 'mcp-manager.json')
  const declared = declaration(mark, wire.url, secrets)
  await writeFile(statePath, JSON.stringify(declared, null, 2), { mode: 0o600 })
  const watch = createLeakWatch(Object.values(secrets))
  const hosts: WebHost[] = []
  let host: WebHost
  let endpointToken: string | undefined

  async function boot(env: NodeJS.ProcessEnv = {}): Promise<WebHost> {
    const started = await startWebHost({ home, plugins: ['manager', 'server'], env })
    hosts.push(started)
    await eventually('the API answers', async () => (await callManager(started, 'GET', '/api/ping')).status === 200)
    return started
  }

  const scene: Scene = {
    home,
    statePath,
    secrets,
    mark,
    wire,
    peer,
    host: () => host,
    async restart(env) {
      await host.stop()
      host = await boot(env)
      return host
    },
    async killStarting() {
      // Only a harness has this home in its environment, besides what it started.
      for (const pid of await processesWith(`DSH_HOME=${home}`)) process.kill(pid, 'SIGKILL')
    },
    second: () => boot(),
    async api(method, path, request) {
      const answer = await callManager(host, method, path, request)
      watch.see(`${method} ${path}`, JSON.stringify([answer.headers, answer.body]))
      return answer
    },
    async mcp(body, headers = {}) {
      const { url, token } = await publishedEndpoint(home)
      const response = await fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body,
        signal: AbortSignal.timeout(60_000),
      })
      const text = await response.text()
      watch.see('POST /mcp', text)
      if (text.includes(token)) watch.see('POST /mcp told its own token', secrets.env)
      return { status: response.status, text }
    },
    async echo(id, text) {
      const { status, body } = await scene.api('POST', `/api/servers/${id}/try`, {
        body: { tool: 'echo', arguments: { text } },
      })
      const { content, isError } = body as { content?: { text?: string }[]; isError?: boolean }
      if (status !== 200 || isError === true) throw new Error(`echo of ${id}: ${status} ${JSON.stringify(body)}`)
      return content?.[0]?.text ?? ''
    },
    see: (where, text) => watch.see(where, text),
    tokenIsGone: () => void (endpointToken = undefined),
    keepSecret: (value) => watch.keep(value),
    async holds() {
      await eventually('the harness answers', async () => (await scene.api('GET', '/api/ping')).status === 200)
      const found = JSON.parse(await readFile(statePath, 'utf8')) as Record<string, unknown>
      const lost = firstDifference(declared, found)
      if (lost !== undefined) throw new DataLost(`${lost} is not as it was`)
      let word = 0
      for (const id of [servers.local, servers.net]) {
        await eventually(
          `a tool of ${id} can be called`,
          async () => {
            const said = `word ${++word}`
            const heard = await scene.echo(id, said).catch(async (error: unknown) => {
              await scene.api('POST', `/api/servers/${id}/connect`)
              throw error
            })
            return heard === said
          },
          60_000,
        )
      }
      const listed = await scene.mcp('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
      if (!listed.text.includes('dsh_start_session')) throw new Error(`tools/list: ${listed.status} ${listed.text}`)
      await eventually('one process of the stdio server is left, and besides it only the harness', async () => {
        const marked = new Set(await processesWith(mark))
        const others = (await processesWith(`DSH_HOME=${home}`)).filter((pid) => !marked.has(pid))
        if (marked.size === 1 && others.length === 1 && others[0] === host.child.pid) return true
        throw new Error(`${marked.size} servers, ${others.length} other processes`)
      })
      for (const one of hosts) {
        const output = one.child.stdout() + one.child.stderr()
        watch.see('output of the harness', output)
        const [uncaught] = /.*(?:unhandled|uncaught|MaxListenersExceeded).*/i.exec(output) ?? []
        if (uncaught !== undefined) throw new Error(`the harness wrote: ${uncaught}`)
      }
      const { token } = await publishedEndpoint(home)
      if (token !== (endpointToken ??= token)) throw new DataLost('the token of the MCP endpoint is another one')
      const open = await filesOpenToOthers(home)
      if (open.length > 0) throw new Error(`files with secrets that others may read: ${open.join(', ')}`)
      const leaks = [...watch.leaks, ...(await leaksInFiles(home, [...watch.secrets, token]))]
      if (leaks.length > 0) throw new Error(`a secret came out: ${leaks.slice(0, 5).join('; ')}`)
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(hosts.map((one) => one.stop()))
      const orphaned = await eventually('no process is left', async () => (await processesWith(mark)).length === 0)
        .then(() => [])
        .catch(() => processesWith(mark))
      for (const pid of orphaned) process.kill(pid, 'SIGKILL')
      await wire[Symbol.asyncDispose]()
      await peer[Symbol.asyncDispose]()
      await temporary[Symbol.asyncDispose]()
      if (orphaned.length > 0) throw new Error(`${orphaned.length} processes outlived the harness`)
    },
  }
  host = await boot()
  await eventually('both servers are connected', async () => {
    const { body } = await scene.api('GET', '/api/servers')
    const views = (body as { servers: { id: string; status: string }[] }).servers
    const isUp = (id: string): boolean => views.find((view) => view.id === id)?.status === 'connected'
    return isUp(servers.local) && isUp(servers.net)
  })
  endpointToken = (await publishedEndpoint(home)).token
  // Whatever the harness still does right after its start is over before the first fault.
  await sleep(100)
  return scene
}

/** Something a user had declared or obtained is gone. */
export class DataLost extends Error {
  override readonly name = 'DataLost'
}
