import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The three tools of the broker, sorted. */
export const brokerTools = ['mcp_describe_tool', 'mcp_execute_tool', 'mcp_search_tools']

/** Writes the state file of a home: global servers, and the switch when it is given. */
export async function declareOnDemand(
  home: string,
  on: boolean | undefined,
  servers: readonly ({ readonly name: string } & Readonly<Record<string, unknown>>)[],
): Promise<void> {
  const list = servers.map((server) => ({ id: `global-${server.name}`, ...server }))
  const state = { servers: list, ...(on === undefined ? {} : { onDemandToolInjection: on }) }
  await writeFile(join(home, 'mcp-manager.json'), JSON.stringify(state), { mode: 0o600 })
}

/** Turns the switch as the page does. */
export async function switchOnDemand(url: string, enabled: boolean): Promise<void> {
  const response = await fetch(`${url}/mcp-manager/api/settings/on-demand`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ enabled }),
  })
  if (!response.ok) throw new Error(`the switch answered ${response.status}: ${await response.text()}`)
}
