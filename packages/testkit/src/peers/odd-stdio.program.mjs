// An MCP server over stdio that misbehaves as its first argument says (JSON, see odd-stdio.ts). Only Node's own modules.
import { spawn } from 'node:child_process'
import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

const odd = JSON.parse(process.argv[2] ?? '{}')
const extra = process.argv.slice(3)
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const schema = (properties = {}) => ({ type: 'object', properties })
let tools =
  odd.tools ??
  ['echo', 'arguments', 'environment', 'big', 'sleep', 'crash', 'bytes', 'grow', 'pid', 'odd-blocks', 'ask'].map(
    (name) => ({
      name,
      inputSchema: schema(),
    }),
  )
let added = 0
let lists = 0

if (odd.ignoreTerm) process.on('SIGTERM', () => {})
if (odd.ignoreTerm) setInterval(() => {}, 1e6)
if (odd.grandchild)
  spawn(process.execPath, ['-e', 'process.on("SIGTERM",()=>{});setInterval(()=>{},1e6)'], { stdio: 'inherit' })
for (const line of odd.noise ?? []) process.stdout.write(`${line}\n`)
if (odd.stderrBytes) writeSync(2, Buffer.alloc(odd.stderrBytes, 'e'))
if (odd.stderr) writeSync(2, odd.stderr)
for (let line = 0; line < (odd.stderrLines ?? 0); line += 1000) writeSync(2, `${'log line'.padEnd(19)}\n`.repeat(1000))
if (odd.startMs) await new Promise((resolve) => setTimeout(resolve, odd.startMs))
if (odd.exitAtOnce !== undefined) process.exit(odd.exitAtOnce)

const call = {
  echo: (args) => ({ content: [{ type: 'text', text: String(args.text) }] }),
  arguments: () => ({ content: [{ type: 'text', text: JSON.stringify(extra) }] }),
  environment: () => ({ content: [{ type: 'text', text: JSON.stringify({ env: process.env, cwd: process.cwd() }) }] }),
  lists: () => ({ content: [{ type: 'text', text: String(lists) }] }),
  pid: () => ({ content: [{ type: 'text', text: String(process.pid) }] }),
  big: ({ bytes }) => ({ content: [{ type: 'text', text: 'x'.repeat(bytes) }] }),
  'odd-blocks': () => ({
    content: [{ type: 'blob', z: 1 }, { text: 'untyped' }, { type: 'text', text: 5 }, 7],
    structuredContent: [1],
    isError: false,
  }),
}

function pageAt(page) {
  if (odd.pages === undefined) return { tools }
  if (odd.pages === 'same') return { tools: [{ name: 'tool-0', inputSchema: schema() }], nextCursor: '1' }
  const one = { tools: [{ name: `tool-${page}`, inputSchema: schema() }] }
  return odd.pages === 'endless' || page + 1 < odd.pages ? { ...one, nextCursor: String(page + 1) } : one
}

function answer({ id, method, params }) {
  if (method === 'server/discover') {
    if (odd.diesOnProbe) process.exit(1)
    if (odd.silentOnProbe) return
    if (odd.modern) {
      const capabilities = { tools: {} }
      const serverInfo = { name: 'odd', version: '1' }
      send({
        id,
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities,
          ttlMs: 0,
          cacheScope: 'private',
          _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
        },
      })
      return
    }
  }
  if (method === 'initialize' && !odd.modern) {
    send({
      id,
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: true }, ...odd.capabilities },
        serverInfo: { name: 'odd', version: '1', title: odd.title },
      },
    })
  } else if (method === 'tools/list') {
    lists++
    if (odd.neverLists) return
    const result = {
      ...pageAt(Number(params?.cursor ?? 0)),
      ...(odd.modern && { resultType: 'complete', ttlMs: 0, cacheScope: 'private' }),
    }
    if (odd.listMs) setTimeout(() => send({ id, result }), odd.listMs)
    else send({ id, result })
  } else if (method === 'tools/call') {
    callTool(id, params.name, params.arguments ?? {})
  } else {
    send({ id, error: { code: -32601, message: `no method ${method}` } })
  }
}

function callTool(id, name, args) {
  if (name === 'ask') {
    const question = {
      method: 'elicitation/create',
      params: { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } },
    }
    send({ id, result: { resultType: 'input_required', inputRequests: { sure: question } } })
    return
  }
  if (name === 'crash') {
    writeSync(2, 'about to crash\n')
    process.exit(3)
  }
  if (name === 'sleep') {
    const timer =
      args.progressMs &&
      setInterval(
        () => send({ method: 'notifications/progress', params: { progressToken: id, progress: Date.now() } }),
        args.progressMs,
      )
    setTimeout(() => {
      clearInterval(timer)
      send({ id, result: { content: [{ type: 'text', text: 'slept' }] } })
    }, args.ms)
    return
  }
  if (name === 'bytes') {
    const [before, after] = JSON.stringify({
      jsonrpc: '2.0',
      id,
      result: { content: [{ type: 'text', text: 'a@b' }] },
    }).split('@')
    writeSync(1, Buffer.concat([Buffer.from(before), Buffer.from(args.bytes), Buffer.from(`${after}\n`)]))
    return
  }
  if (name === 'grow') {
    tools = [...tools, { name: `grown-${++added}`, inputSchema: schema() }]
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\n`.repeat(args.notices ?? 1),
    )
    send({ id, result: { content: [] } })
    return
  }
  send({ id, result: { ...call[name](args), ...(odd.modern && { resultType: 'complete' }) } })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  if (odd.mute || message.id === undefined) return
  answer(message)
})
