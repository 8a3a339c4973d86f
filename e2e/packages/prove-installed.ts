import type { PluginName, WebHost } from '@dsh-mcp/testkit'
import { agentProofs } from '../../scripts/start/check-agent.ts'
import { clientProofs } from '../../scripts/start/check-client.ts'
import { runProofs } from '../../scripts/start/proof.ts'

/** What a person does with an installed harness, in the directions that the plugins offer; the lines said when a proof fails. */
export async function proveInstalled(
  host: WebHost,
  plugins: readonly PluginName[],
  node?: string,
): Promise<readonly string[]> {
  const lines: string[] = []
  const proofs = [
    ...(plugins.includes('manager') ? agentProofs(host) : []),
    ...(plugins.includes('server') ? clientProofs(host, node) : []),
  ]
  const failed = await runProofs(proofs, (line) => lines.push(line))
  return failed.length === 0 ? [] : lines
}
