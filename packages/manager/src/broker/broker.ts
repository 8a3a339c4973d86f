import { aroundExecutions, type AssemblyContext, type ExecutionContext, type ToolRegistry } from '@dsh-mcp/host'
import type { OfferedTools } from '../tools/index.ts'
import { describeToolDefinition } from './describe-tool.ts'
import type { ServerState } from './empty-answer.ts'
import { createExecuteTool } from './execute-tool.ts'
import { hideDirectTools } from './hiding.ts'
import { searchToolsDefinition } from './search-tools.ts'
import { createToolFinder } from './tool-finder.ts'

export interface BrokerParts {
  /** The plugin's own context: what the broker hears of the host. */
  readonly context: AssemblyContext & ExecutionContext
  /** The registry of the plugin's own context. */
  readonly registry: Pick<ToolRegistry, 'register' | 'get' | 'schemas' | 'guard' | 'execute'>
  readonly tools: Pick<OfferedTools, 'catalog' | 'visible' | 'find' | 'subscribe' | 'deferLoading'>
  /** Servers that could have tools for an agent, with their state: to say why a search is empty. */
  readonly servers: (agent: object | undefined) => readonly ServerState[]
  /** What went wrong, for the log. */
  readonly report: (message: string) => void
}

/** Lets agents find, read and call MCP tools by three tools, in place of all the schemas. */
export interface Broker {
  readonly isOn: boolean
  /** Takes effect with the next model request of every session, running ones included. */
  switchTo(on: boolean): void
  /** Switches off for good. */
  close(): void
}

/** A broker that is off. */
export function createBroker({ context, registry, tools, servers, report }: BrokerParts): Broker {
  let switchOff: (() => void) | undefined

  function switchOn(): () => void {
    const finder = createToolFinder(tools)
    const execute = createExecuteTool(registry, finder)
    const undo = [() => finder.close(), aroundExecutions(context, execute.around)]
    try {
      for (const definition of [
        searchToolsDefinition({ tools, finder, servers }),
        describeToolDefinition(finder),
        execute.definition,
      ])
        undo.push(registry.register(definition))
      undo.push(hideDirectTools({ context, registry, tools, mayCallHidden: execute.owns }))
    } catch (error) {
      // With a tool of the broker missing, hiding the others would leave agents with nothing.
      for (const step of undo.splice(0).toReversed()) step()
      report(`MCP tools stay in every request: ${error instanceof Error ? error.message : String(error)}`)
    }
    return () => {
      for (const step of undo.toReversed()) step()
    }
  }

  return {
    get isOn() {
      return switchOff !== undefined
    },
    switchTo(on) {
      if (on === (switchOff !== undefined)) return
      if (on) switchOff = switchOn()
      else {
        switchOff?.()
        switchOff = undefined
      }
    },
    close() {
      switchOff?.()
      switchOff = undefined
    },
  }
}
