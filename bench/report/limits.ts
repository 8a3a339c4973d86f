import type { Language } from './about.ts'

const sockets = {
  en: 'the way through two sockets is most of a single call: a server that answers a constant reaches what the row below says, which is less than the goal',
  zh: '单次调用的时间主要花在两端的套接字上：只返回固定应答的服务器也只能达到下一行的倍数，仍低于目标',
}

/** What keeps a goal from being reached, for each row whose goal a kept run missed. */
export const limits: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  'tools/call legacy, 1 at once: ours / official handler': sockets,
  'tools/call 2026-07-28, 1 at once: ours / official handler': sockets,
  'session in a workspace, more than without': {
    en: 'nine tenths of it are spent in the registry of the harness, which checks the schema of each of the 200 tools for each session (by a profile of 80 sessions); the row above is that registry alone, with tools that take no arguments',
    zh: '其中九成花在 Harness 自己的注册表里：它为每个会话逐一检查 200 个工具的 schema（据 80 个会话的性能剖析）；上面一行是只用无参数工具单测该注册表的结果',
  },
}
