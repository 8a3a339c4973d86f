import { parseJson } from '../config/index.ts'
import { plainJson } from './jsonc.ts'

/** Whose configuration a text is. */
export type ImportFormat = 'claude-desktop' | 'claude-code' | 'cursor' | 'vscode' | 'codex' | 'mcp-servers'

/** Servers found in a text, as they stand there. */
export interface FoundServers {
  readonly format: ImportFormat
  readonly servers: readonly (readonly [name: string, entry: Readonly<Record<string, unknown>>])[]
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const entriesOf = (value: unknown): FoundServers['servers'] =>
  isRecord(value) ? Object.entries(value).map(([name, entry]) => [name, isRecord(entry) ? entry : {}] as const) : []

const looksLikeServer = (value: unknown): boolean =>
  isRecord(value) && ['command', 'url', 'serverUrl', 'httpUrl'].some((key) => typeof value[key] === 'string')

function formatOf(document: Fields, servers: FoundServers['servers']): ImportFormat {
  if (isRecord(document['projects']) || 'numStartups' in document) return 'claude-code'
  if ('globalShortcut' in document || 'isUsingBuiltInNodeForMcp' in document) return 'claude-desktop'
  const text = JSON.stringify(servers)
  if (text.includes('${env:') || servers.some(([, entry]) => 'envFile' in entry)) return 'cursor'
  if (servers.some(([, entry]) => entry['type'] === 'http' || entry['type'] === 'sse')) return 'claude-code'
  return 'mcp-servers'
}

/** Claude Code keeps servers of single projects below `projects`; the nearest wins for a name used twice. */
function projectServers(document: Fields): FoundServers['servers'] {
  const projects = isRecord(document['projects']) ? Object.values(document['projects']) : []
  return projects.flatMap((project) => (isRecord(project) ? entriesOf(project['mcpServers']) : []))
}

function readDocument(document: Fields): FoundServers | undefined {
  if (isRecord(document['mcpServers']) || isRecord(document['projects'])) {
    const servers = [...entriesOf(document['mcpServers']), ...projectServers(document)]
    return { format: formatOf(document, servers), servers }
  }
  const mcp = isRecord(document['mcp']) ? document['mcp'] : document
  if (isRecord(mcp['servers'])) return { format: 'vscode', servers: entriesOf(mcp['servers']) }
  if (Array.isArray(document['servers'])) {
    const servers = document['servers']
      .filter(isRecord)
      .map((entry) => [typeof entry['name'] === 'string' ? entry['name'] : '', entry] as const)
    return { format: 'mcp-servers', servers }
  }
  if (isRecord(document['mcp_servers'])) return { format: 'codex', servers: entriesOf(document['mcp_servers']) }
  if (looksLikeServer(document)) return { format: 'mcp-servers', servers: [['server', document]] }
  const bare = entriesOf(document)
  return bare.length > 0 && bare.every(([, entry]) => looksLikeServer(entry))
    ? { format: formatOf(document, bare), servers: bare }
    : undefined
}

function parsePasted(text: string): unknown {
  const plain = plainJson(text)
  try {
    return parseJson(plain)
  } catch (error) {
    // people paste the inside of a file: "name": { … }
    try {
      return parseJson(`{${plain.replace(/,\s*$/, '')}}`)
    } catch {
      throw error
    }
  }
}

async function parseToml(text: string): Promise<unknown> {
  const { parse } = await import('smol-toml')
  return parse(text)
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message.split('\n')[0]! : String(error))

/**
 * Finds the servers in a pasted or chosen configuration: `mcpServers` JSON, files of Claude Desktop, Claude Code, Cursor,
 * VS Code (`mcp.json`, `settings.json`, comments allowed) and Codex (`config.toml`).
 * @throws Error that says why nothing was found.
 */
export async function findServers(text: string): Promise<FoundServers> {
  const body = text.replace(/^\uFEFF/, '').trim()
  if (body === '') throw new Error('the text is empty: paste a configuration')
  let document: unknown
  if (/^[{"]/.test(body) || body.startsWith('//') || body.startsWith('/*')) {
    try {
      document = parsePasted(body)
    } catch (error) {
      throw new Error(`the text is not JSON: ${messageOf(error)}`, { cause: error })
    }
  } else {
    try {
      document = await parseToml(body)
    } catch (error) {
      throw new Error(`the text is neither JSON nor TOML: ${messageOf(error)}`, { cause: error })
    }
  }
  const found = isRecord(document) ? readDocument(document) : undefined
  if (found === undefined || found.servers.length === 0) {
    throw new Error('no servers found: expected mcpServers (JSON), servers (VS Code) or [mcp_servers.name] (Codex)')
  }
  return found
}
