import type { ConnectionStatus } from '../connections/index.ts'

export type Language = 'en' | 'zh'

export type Action = 'list' | 'reconnect' | 'enable' | 'disable' | 'logs'

/** Words that name an action; the language of the answer is that of the word. */
const actions: Readonly<Record<string, readonly [Action, Language]>> = {
  list: ['list', 'en'],
  reconnect: ['reconnect', 'en'],
  enable: ['enable', 'en'],
  disable: ['disable', 'en'],
  logs: ['logs', 'en'],
  log: ['logs', 'en'],
  列表: ['list', 'zh'],
  重连: ['reconnect', 'zh'],
  重新连接: ['reconnect', 'zh'],
  启用: ['enable', 'zh'],
  停用: ['disable', 'zh'],
  禁用: ['disable', 'zh'],
  日志: ['logs', 'zh'],
}

/** What was typed after `/mcp`. */
export interface ParsedInput {
  readonly action: Action | undefined
  readonly language: Language
  readonly word: string
  readonly server: string | undefined
}

/** Reads the input of the command; nothing at all lists the servers. */
export function parseInput(input: string): ParsedInput {
  const [word = 'list', server] = input
    .trim()
    .split(/\s+/)
    .filter((part) => part !== '')
  const known = Object.hasOwn(actions, word.toLowerCase()) ? actions[word.toLowerCase()] : undefined
  const language = known?.[1] ?? (/\p{Script=Han}/u.test(input) ? 'zh' : 'en')
  return { action: known?.[0], language, word, server }
}

const states: Readonly<Record<ConnectionStatus['state'], string>> = {
  disconnected: '未连接',
  connecting: '连接中',
  connected: '已连接',
  'needs-auth': '待认证',
  authorizing: '认证中',
  error: '错误',
  disabled: '已禁用',
  conflict: '冲突',
  configured: '已配置',
}

/** The words of one language. */
export interface Words {
  state(status: ConnectionStatus): string
  tools(count: number): string
  usage: string
  nothing: string
  unknown(name: string, known: readonly string[]): string
  missing: string
  enabled(name: string): string
  disabled(name: string): string
  noLogs: string
  off(name: string): string
}

const en: Words = {
  state: (status) => status.state,
  tools: (count) => (count === 1 ? '1 tool' : `${count} tools`),
  usage: 'Usage: /mcp [list] | reconnect <server> | enable <server> | disable <server> | logs <server>',
  nothing: 'No MCP servers are configured. Add them in Settings → MCP or in mcp-manager.json.',
  unknown: (name, known) => `No MCP server is named "${name}". Known: ${known.join(', ') || 'none'}`,
  missing: 'Name the server.',
  enabled: (name) => `${name} is switched on.`,
  disabled: (name) => `${name} is switched off.`,
  noLogs: 'Nothing has been tried yet.',
  off: (name) => `${name} is switched off: /mcp enable ${name}`,
}

const zh: Words = {
  state: (status) => states[status.state],
  tools: (count) => `${count} 个工具`,
  usage: '用法：/mcp [列表] | 重连 <服务器> | 启用 <服务器> | 停用 <服务器> | 日志 <服务器>',
  nothing: '还没有配置 MCP 服务器。可在 设置 → MCP 或 mcp-manager.json 中添加。',
  unknown: (name, known) => `没有名为“${name}”的 MCP 服务器。现有：${known.join('、') || '无'}`,
  missing: '请写明服务器名称。',
  enabled: (name) => `已启用 ${name}。`,
  disabled: (name) => `已停用 ${name}。`,
  noLogs: '还没有任何尝试。',
  off: (name) => `${name} 已停用，先执行 /mcp 启用 ${name}`,
}

export const wordsOf = (language: Language): Words => (language === 'zh' ? zh : en)
