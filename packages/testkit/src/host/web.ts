import { startChild } from './child.ts'
import type { Child, Exit } from './child.ts'
import { runningHostEnvironment } from './environment.ts'
import { installPlugins } from './install.ts'
import type { InstallForm } from './install.ts'
import { patchFlags } from './patches.ts'
import type { ModelChoice } from './patches.ts'
import { dshEntry, nodeBinary } from './paths.ts'
import type { PluginName } from './paths.ts'

export interface WebHostOptions {
  /** `DSH_HOME`; see `temporaryHome`. */
  readonly home: string
  readonly plugins?: readonly PluginName[]
  readonly form?: InstallForm
  /** Default: `scripted`. */
  readonly model?: ModelChoice
  /** Further patch layers (YAML or JSON text), last one wins. */
  readonly patches?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly port?: number
  readonly cwd?: string
  /** The Node binary to run the host with; default: the one that runs us. */
  readonly node?: string
}

/** A running `dsh web`. */
export interface WebHost extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, without a trailing slash. */
  readonly url: string
  readonly port: number
  readonly home: string
  readonly child: Child
  /** Milliseconds from the start of the process to its URL. */
  readonly startMs: number
  /** Calls a method of the host's own API; resolves with its value, rejects with the error the host names. */
  api<Value = unknown>(method: string, payload: unknown): Promise<Value>
  /** SIGTERM and wait. */
  stop(): Promise<Exit>
  /** SIGKILL, as a crash would. */
  kill(): Promise<Exit>
}

interface ApiReply {
  readonly result?: { readonly ok: boolean; readonly value?: unknown; readonly error?: { readonly message?: string } }
}

async function callApi(url: string, method: string, payload: unknown): Promise<unknown> {
  const response = await fetch(`${url}/api/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'client-request', rpcId: crypto.randomUUID(), method, payload }),
  })
  const reply = (await response.json()) as ApiReply
  if (reply.result?.ok === true) return reply.result.value
  throw new Error(`${method}: ${response.status} ${JSON.stringify(reply.result?.error ?? reply)}`)
}

/**
 * Boots the real web profile with the scripted model and the given plugins, on a free port of 127.0.0.1, and resolves
 * when it has printed its URL. Disposing it stops it.
 */
export async function startWebHost(options: WebHostOptions): Promise<WebHost> {
  const { home, plugins = [], form = 'link', model = 'scripted', patches = [], port: wanted = 0 } = options
  await installPlugins(home, 'web', plugins, form)
  const flags = await patchFlags(home, patches, model)
  const started = performance.now()
  const child = startChild(
    options.node ?? nodeBinary,
    [dshEntry, 'web', ...flags, '--no-open', '--port', String(wanted)],
    {
      cwd: options.cwd ?? home,
      env: await runningHostEnvironment(home, options.env),
    },
  )
  try {
    const [, url, port] = await child.waitForOutput(/dsh web: (http:\/\/127\.0\.0\.1:(\d+))/)
    return {
      url: url!,
      port: Number(port),
      home,
      child,
      startMs: performance.now() - started,
      api: async <Value>(method: string, payload: unknown) => (await callApi(url!, method, payload)) as Value,
      stop: () => child.stop(),
      kill: () => child.kill(),
      async [Symbol.asyncDispose]() {
        await child.stop()
      },
    }
  } catch (error) {
    await child.stop(1000)
    throw error
  }
}
