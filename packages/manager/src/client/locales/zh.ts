import type { Key } from './en.ts'

export const zh: Readonly<Record<Key, string>> = {
  tab: 'MCP',
  title: 'MCP 服务器',
  intro: '把 MCP 服务器的工具提供给本机的每个智能体。',
}
