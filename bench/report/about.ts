/** The languages of the documents. */
export type Language = 'en' | 'zh'

/** What each bench compares, in a sentence. */
export const about: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  manager: {
    en: 'The manager beside the bare engine it is built on, beside the client built into the harness, and a harness with it beside one without.',
    zh: '将管理器与其底层引擎、与宿主内置客户端对比，并将装有管理器的宿主与未装的宿主对比。',
  },
  page: {
    en: 'The Settings page with 50 connected servers of 20 tools each, in a real browser on a real harness.',
    zh: '在真实宿主与真实浏览器中打开设置页：50 个已连接的服务器，每个 20 个工具。',
  },
  protocol: {
    en: 'The SDK transport beside the published one, the stdio buffer of the MCP SDK, split2 with json-rpc-2.0, and vscode-jsonrpc.',
    zh: '将 SDK 传输与已发布的实现、MCP SDK 的 stdio 缓冲、split2 加 json-rpc-2.0 以及 vscode-jsonrpc 对比。',
  },
  search: {
    en: 'The search of the broker on 527 real tools and labelled tasks, beside MiniSearch and Orama at their best settings and plain BM25.',
    zh: '按需代理的搜索：527 个真实工具与带标注的任务，与取最佳设置的 MiniSearch、Orama 以及普通 BM25 对比。',
  },
  server: {
    en: 'The MCP endpoint beside the official handler, the stdio bridge beside mcp-remote, and what a waiting call costs.',
    zh: '将 MCP 端点与官方处理器、stdio 桥与 mcp-remote 对比，并测量等待中的调用的开销。',
  },
  tools: {
    en: 'The tools of the MCP server on a real harness: reading a transcript of 50 000 events, listing 2 000 sessions, 200 waits at once.',
    zh: '在真实宿主上测量 MCP 服务器的工具：读取含 5 万个事件的记录、列出 2 000 个会话、200 个同时等待。',
  },
  workspaces: {
    en: 'What a session costs in a workspace with five connected servers of 40 tools each, and how fast a switch takes effect.',
    zh: '在含五个已连接服务器（各 40 个工具）的工作区中新建会话的开销，以及开关生效的速度。',
  },
}
