import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { AgentLoop } from '@deepseek-ai/dsh-agent-loop'
import * as SdkServer from '@deepseek-ai/dsh-sdk-jsonrpc-server'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SessionTitleService } from '@deepseek-ai/dsh-session-title'
import * as SpawnedSubagents from '@deepseek-ai/dsh-subagent-spawn-in-process'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import * as SubagentTool from '@deepseek-ai/dsh-tool-subagent'
import { ToolRuntime } from '@deepseek-ai/dsh-tools'
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

/** Packages that the ones above bring with them. */
const require = createRequire(fileURLToPath(import.meta.resolve('@deepseek-ai/dsh-sdk-jsonrpc-server')))

async function load<T = { default: unknown }>(name: string): Promise<T> {
  const loaded: T = await import(pathToFileURL(require.resolve(`@deepseek-ai/${name}`)).href)
  return loaded
}

const { Context } = await load<{ Context: new () => Context }>('cordis')
const context = new Context()
for (const name of ['cordis-plugin-timer', 'dsh-llm', 'dsh-session']) {
  await context.plugin((await load(name)).default)
}
await context.plugin(SessionTitleService, { fallbackMaxWords: 8, fallbackMaxBytes: 80, maxTitleBytes: 200 })
await context.plugin(SystemPrompt)
await context.plugin(ToolRuntime, { mode: 'native' })
await context.plugin((await load('dsh-agent')).default)
await context.plugin(AgentLoop, { agents: [] })
await context.plugin(await import(pathToFileURL(scriptedModelRow).href))
await context.plugin(JsonlSessionPersistence, { root: join(process.env.DSH_HOME!, 'sessions'), compression: 'none' })
if (process.argv.includes('delegate')) {
  await context.plugin((await load('dsh-subagent')).default)
  await context.plugin(SpawnedSubagents)
  await context.plugin(SubagentTool, { provider: 'spawn', enableRunInBackground: false })
}
await context.plugin(SdkServer, {})

process.stdin.once('end', () => void context.fiber.dispose().then(() => process.exit(0)))
