import type { LogEntry, ServerView } from '../../web/api-types.ts'

/** One line of the attempt log: `[ISO time] phase status url — detail`. */
export function logLine(entry: LogEntry): string {
  const parts = [`[${new Date(entry.at).toISOString()}]`, entry.phase]
  if (entry.status !== 0) parts.push(String(entry.status))
  if (entry.url !== '') parts.push(entry.url)
  if (entry.detail !== '') parts.push('—', entry.detail)
  return parts.join(' ')
}

/** The log with what a reader of a bug report asks first. */
export function reportText(server: ServerView, logs: readonly LogEntry[]): string {
  const wire = [server.transport ?? server.type, server.protocolVersion].filter((part) => part !== undefined).join(' ')
  const head = [
    `MCP server "${server.name}" (${wire}): ${server.status}`,
    ...(server.error === null ? [] : [server.error]),
  ]
  return [...head, ...logs.map(logLine)].join('\n')
}
