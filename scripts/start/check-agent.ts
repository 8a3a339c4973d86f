import { eventually } from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import type { Proof } from './proof.ts'
import { sampleNames } from './sample-state.ts'

interface ServerView {
  readonly name: string
  readonly status: string
  readonly toolCount: number
  readonly error?: string | null
}

function connectedProof(host: WebHost): Proof {
  return {
    name: 'sample servers connected',
    async prove() {
      const servers = await eventually('both servers connected', async () => {
        const response = await fetch(`${host.url}/mcp-manager/api/servers`)
        const { servers } = (await response.json()) as { servers: ServerView[] }
        const ready = servers.length === 2 && servers.every((server) => server.status === 'connected')
        if (ready) return servers
        throw new Error(JSON.stringify(servers.map(({ name, status, error }) => ({ name, status, error }))))
      })
      return servers.map((server) => `${server.name} with ${server.toolCount} tools`).join(', ')
    },
  }
}

/** Prompts a new session of the host and resolves with all it logged, as text, once `expected` is in it. */
async function promptSession(host: WebHost, text: string, expected: string): Promise<void> {
  const { sessionId } = await host.api<{ sessionId: string }>('session.create', { cwd: host.home })
  await host.api('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] })
  await eventually(`"${expected}" in the session`, async () => {
    const history = JSON.stringify(await host.api('session.history', { sessionId, maxMessages: 50 }))
    if (history.includes(expected)) return true
    throw new Error(history.slice(-600))
  })
}

function callProof(host: WebHost, server: string): Proof {
  return {
    name: `an agent called a tool of ${server}`,
    async prove() {
      const prompt = `call mcp__${server}__get-sum {"a":40,"b":2}`
      await promptSession(host, prompt, 'The sum of 40 and 2 is 42')
      return `mcp__${server}__get-sum answered 42`
    },
  }
}

/** The harness as MCP client: servers connected, one tool of each called by an agent. */
export function agentProofs(host: WebHost): readonly Proof[] {
  return [connectedProof(host), ...sampleNames.map((server) => callProof(host, server))]
}
