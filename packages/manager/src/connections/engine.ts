import type * as Engine from '@modelcontextprotocol/client'

let loading: Promise<typeof Engine> | undefined

/** The MCP protocol engine, loaded at first use: importing it costs host start some 100 ms. */
export function loadEngine(): Promise<typeof Engine> {
  loading ??= import('@modelcontextprotocol/client')
  return loading
}
