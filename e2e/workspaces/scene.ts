import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eventually, modelRequests } from '@dsh-mcp/testkit'
import type { RecordedRequest, WebHost } from '@dsh-mcp/testkit'

/** Writes the state file of a home: global servers by name. */
export async function declareGlobal(home: string, servers: Readonly<Record<string, object>>): Promise<void> {
  const list = Object.entries(servers).map(([name, server]) => ({ id: `global-${name}`, name, ...server }))
  await writeFile(join(home, 'mcp-manager.json'), JSON.stringify({ servers: list }), { mode: 0o600 })
}

/** Writes the file of a workspace. */
export async function declareWorkspace(root: string, file: object): Promise<void> {
  const path = join(root, '.dsh', 'dshmm', 'mcp.json')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify(file))
}

/** A session of the host, driven by prompts. */
export interface Session {
  readonly id: string
  /** Runs one turn and resolves with the last answer of the model and what the model was offered in its first request. */
  turn(prompt: string): Promise<{ readonly answer: string; readonly offered: readonly string[] }>
}

function answersIn(history: unknown): readonly string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const { role, content } = value as { role?: unknown; content?: unknown }
    if (role === 'assistant' && Array.isArray(content)) {
      const text = (content as { type?: string; text?: string }[]).map((block) => block.text ?? '').join('')
      if (text !== '') found.push(text)
      return
    }
    for (const member of Object.values(value)) visit(member)
  }
  visit(history)
  return found
}

/** MCP tools among the names of a request. */
export function mcpTools(request: RecordedRequest | undefined): readonly string[] {
  return (request?.tools ?? []).filter((name) => name.startsWith('mcp__'))
}

/** Opens a session in a directory. */
export async function openSession(host: WebHost, cwd: string): Promise<Session> {
  const { sessionId } = await host.api<{ sessionId: string }>('session.create', { cwd })
  let turns = 0
  return {
    id: sessionId,
    async turn(prompt) {
      const before = (await modelRequests(host.home)).filter((request) => request.sessionId === sessionId).length
      const marker = `turn-${++turns}-done`
      const text = `${prompt}\nsay ${marker}`
      await host.api('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text }] })
      const history = await eventually(`"${marker}" in the session`, async () => {
        const events = await host.api('session.history', { sessionId, maxMessages: 100 })
        return answersIn(events).some((answer) => answer.includes(marker)) ? JSON.stringify(events) : undefined
      })
      const requests = (await modelRequests(host.home)).filter((request) => request.sessionId === sessionId)
      return { answer: history, offered: mcpTools(requests[before]) }
    },
  }
}
