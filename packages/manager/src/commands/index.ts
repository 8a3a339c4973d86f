import type { CommandRegistry, PluginContext } from '@dsh-mcp/host'
import { mcpCommand, type McpCommandParts } from './mcp-command.ts'

export type { McpCommandParts } from './mcp-command.ts'

/** Adds `/mcp` while the host has commands. A name that is taken is told through `warn`. */
export function mountCommand(context: PluginContext, parts: McpCommandParts, warn: (line: string) => void): void {
  context.inject(['commands'], (child) => {
    const commands = child.get('commands') as CommandRegistry
    child.effect(() => {
      try {
        return commands.register(mcpCommand(parts))
      } catch (error) {
        warn(`/mcp cannot be added: ${error instanceof Error ? error.message : String(error)}`)
        return () => undefined
      }
    }, 'mcp-manager: /mcp')
  })
}
