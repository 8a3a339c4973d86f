import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { scriptedModelRow } from '@dsh-mcp/testkit'

/**
 * A runtime made of the published packages: the harness's services on a bare context, the scripted model, and the published
 * SDK server on stdin and stdout. `published-server.program.ts [delegate]`; with `delegate` agents can start subagents.
 * Needs `DSH_HOME`. It ends with its input.
 */
interface Context {
  plugin(plugin: unknown, config?: unknown): PromiseLike<unknown>
  readonly fiber: { dispose(): PromiseLike<unknown> }
}

const serverEntry = realpathSync(createRequire(import.meta.url).resolve('@deepseek-ai/dsh-sdk-jsonrpc-server'))
const require = createRequire(serverEntry)

async function load<T>(name: string): Promise<T> {
  const loaded: T = await import(pathToFileURL(require.resolve(`@deepseek-ai/${name}`)).href)
  return loaded
}

const { Context } = await load<{ Context: new () => Context }>('cordis')
const context = new Context()

async function mount(name: string, config?: unknown): Promise<void> {
  const module = await load<{ default?: unknown }>(name)
  await context.plugin(module.default ?? module, config)
}

await mount('cordis-plugin-timer')
await mount('dsh-llm')
await mount('dsh-session')
await mount('dsh-session-title', { fallbackMaxWords: 8, fallbackMaxBytes: 80, maxTitleBytes: 200 })
await mount('dsh-system-prompt')
await mount('dsh-tools', { mode: 'native' })
await mount('dsh-agent')
await mount('dsh-agent-loop', { agents: [] })
await context.plugin(await import(pathToFileURL(scriptedModelRow).href))
await mount('dsh-session-persistence-jsonl', { root: join(process.env.DSH_HOME!, 'sessions'), compression: 'none' })
if (process.argv.includes('delegate')) {
  await mount('dsh-subagent')
  await mount('dsh-subagent-spawn-in-process')
  await mount('dsh-tool-subagent', { provider: 'spawn', enableRunInBackground: false })
}
await mount('dsh-sdk-jsonrpc-server', {})

process.stdin.once('end', () => void context.fiber.dispose().then(() => process.exit(0)))
