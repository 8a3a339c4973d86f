import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TemporaryHome, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll } from 'vitest'
import { delegateTo } from './delegate.ts'
import type { Delegate, Fields } from './delegate.ts'

/** What the tests of one file share: a host with the server plugin, a project folder, and an MCP client. */
export interface Scene {
  readonly home: TemporaryHome
  readonly host: WebHost
  readonly agent: Delegate
  /** Real path of the folder in which {@link Scene.start} begins sessions. */
  readonly project: string
  /** Kills the host as a crash would, starts another on the same home and connects the client to it. */
  crashAndRestart(): Promise<void>
  /** `dsh_start_session` in the project. */
  start(prompt: string, more?: Fields): ReturnType<Delegate['call']>
  /** `dsh_wait_session`. */
  wait(sessionId: string, more?: Fields): ReturnType<Delegate['call']>
}

/** Opens the scene before the first test of the file and closes it after the last; `name` is the client's. */
export function useScene(name: string): Scene {
  const opened = new AsyncDisposableStack()
  let parts: Pick<Scene, 'home' | 'host' | 'agent' | 'project'>

  async function boot(home: TemporaryHome): Promise<Pick<Scene, 'host' | 'agent'>> {
    const host = opened.use(await startWebHost({ home: home.path, plugins: ['server'] }))
    return { host, agent: opened.use(await delegateTo(home.path, name)) }
  }

  beforeAll(async () => {
    const home = opened.use(await temporaryHome())
    const project = join(await realpath(home.path), 'project')
    await mkdir(project)
    parts = { home, project, ...(await boot(home)) }
  }, 120_000)
  afterAll(() => opened.disposeAsync())

  return {
    get home() {
      return parts.home
    },
    get host() {
      return parts.host
    },
    get agent() {
      return parts.agent
    },
    get project() {
      return parts.project
    },
    async crashAndRestart() {
      await parts.agent[Symbol.asyncDispose]()
      await parts.host.kill()
      parts = { ...parts, ...(await boot(parts.home)) }
    },
    start: (prompt, more) => parts.agent.call('dsh_start_session', { cwd: parts.project, prompt, ...more }),
    wait: (sessionId, more) => parts.agent.call('dsh_wait_session', { sessionId, ...more }),
  }
}
