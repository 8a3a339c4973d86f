import { mkdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { delegateTo } from '../../server/delegate.ts'
import { startBridge } from '../bridge.ts'
import type { Fault } from '../fault.ts'
import { anything, nasty, torn } from '../nasty.ts'
import type { Scene } from '../scene.ts'

/** The session that frames may name; it exists. */
const sessionId = 'malformed'

/** Members of arguments that tools know, one of them with a good value. */
const toolArguments = fc
  .record(
    Object.fromEntries(
      [
        'limit',
        'cursor',
        'afterSeq',
        'beforeSeq',
        'messageId',
        'message',
        'mode',
        'detail',
        'title',
        'command',
        'include',
      ].map((name) => [name, anything]),
    ),
    { requiredKeys: [] },
  )
  .chain((more) => fc.oneof(fc.constant(sessionId), anything).map((id) => ({ sessionId: id, ...more })))

/** What a client may say, made of what is right and what is not. `tools` are the names of all tools. */
function framesFor(tools: readonly string[]): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const params = fc.record({
    name: fc.oneof(nasty, fc.constantFrom(...tools)),
    arguments: fc.oneof(anything, toolArguments),
    uri: anything,
    protocolVersion: anything,
    clientInfo: anything,
    _meta: anything,
  })
  const envelope = fc.array(
    fc.tuple(
      fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta', '__proto__'),
      fc.oneof(
        anything,
        fc.constantFrom<unknown>('2.0', '1.0', 1, 'tools/call', 'tools/list', 'initialize', 'resources/read', 'ping'),
        params,
      ),
    ),
    { minLength: 1, maxLength: 6 },
  )
  const messy = envelope.map(
    (pairs) =>
      `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
  )
  /** As right outside as a call can be, and wrong inside: these reach the tools. */
  const call = params.map((sent) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: sent }))
  const called = fc
    .tuple(fc.constantFrom(...tools), toolArguments)
    .map(([name, sent]) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: sent } }),
    )
  return fc.oneof(
    { arbitrary: messy, weight: 3 },
    { arbitrary: call, weight: 1 },
    { arbitrary: called, weight: 1 },
    torn(messy),
    torn(call),
    fc.array(messy, { maxLength: 4 }).map((list) => `[${list.join(',')}]`),
    fc.string(),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => new Uint8Array(bytes)),
  )
}

/** Starts the session that frames may name, and tells the tools they may call. */
async function prepare(scene: Scene): Promise<fc.Arbitrary<string | Uint8Array<ArrayBuffer>>> {
  await using agent = await delegateTo(scene.home, 'faults')
  const cwd = join(scene.home, 'malformed')
  await mkdir(cwd, { recursive: true })
  await agent.call('dsh_start_session', { cwd, prompt: 'say ready', sessionId })
  await agent.call('dsh_wait_session', { sessionId })
  const { tools } = await agent.client.listTools()
  return framesFor(tools.map(({ name }) => name))
}

/** The headers of a frame, which may contradict it. */
const frameHeaders = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { 'mcp-protocol-version': '1999-01-01' },
    { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
    { 'mcp-session-id': 'none' },
    { accept: 'text/html' },
    { 'content-type': 'text/plain' },
    { 'content-encoding': 'gzip' },
    { authorization: 'Bearer wrong' },
  ),
)

/** Sends bytes to the port and resolves with what came back until the connection ended or two seconds were over. */
function rawAnswer(port: number, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => void socket.end(bytes))
    socket.setTimeout(2_000, () => socket.destroy())
    socket.on('data', (chunk) => (text += chunk.toString('latin1')))
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(text))
  })
}

const malformedFrames: Fault = {
  fault: 'malformed frames',
  points: [
    {
      point: 'to the MCP endpoint',
      async inject(scene, { frames: amount, seed }) {
        const frames = await prepare(scene)
        const property = fc.asyncProperty(frames, frameHeaders, async (bytes, more) => {
          const { status, text } = await scene.mcp(bytes, more)
          if (status >= 500) throw new Error(`${status} ${text}`)
          if (status === 200 && !/"(?:result|error)"/.test(text)) throw new Error(`200 and neither: ${text}`)
        })
        const runs = Math.ceil(amount * 0.6)
        const limit = { interruptAfterTimeLimit: 60_000 + runs * 300, markInterruptAsFailure: true }
        await fc.assert(property, { numRuns: runs, seed, ...limit })
        return { note: `${runs} frames, seed ${seed}` }
      },
    },
    {
      point: 'to the bridge',
      async inject(scene, { frames: amount, seed }) {
        const runs = Math.ceil(amount * 0.35)
        await using bridge = startBridge(scene)
        for (const bytes of fc.sample(await prepare(scene), { numRuns: runs, seed })) {
          // A line feed would make two lines of one; what counts here is each line.
          bridge.sendLine(typeof bytes === 'string' ? bytes.replaceAll('\n', ' ') : bytes.filter((byte) => byte !== 10))
        }
        const listed = await bridge.ask({ jsonrpc: '2.0', id: 987_654_321, method: 'tools/list' })
        if (!listed.includes('dsh_start_session')) throw new Error(`after all that: ${listed.slice(0, 300)}`)
        const broken = bridge.child
          .stdout()
          .split('\n')
          .filter((line) => line !== '' && !isMessage(line))
        if (broken.length > 0) throw new Error(`it wrote what is no message: ${broken[0]?.slice(0, 300)}`)
        return { note: `${runs} lines, seed ${seed}` }
      },
    },
    {
      point: 'to the port, below HTTP',
      async inject(scene, { frames: amount, seed }) {
        const head = fc.constantFrom('', 'POST /mcp HTTP/1.1\r\n', 'GET /mcp-manager/api/servers HTTP/1.1\r\nhost: ')
        const runs = Math.ceil(amount * 0.05)
        const property = fc.asyncProperty(head, fc.oneof(fc.string(), fc.uint8Array()), async (start, rest) => {
          const tail = typeof rest === 'string' ? Buffer.from(rest) : rest
          const answer = await rawAnswer(
            scene.host().port,
            Buffer.concat([Buffer.from(start), tail, Buffer.from('\r\n\r\n')]),
          )
          scene.see('the port', answer)
          if (/^HTTP\/1\.1 (?:5|2\d\d[^]*srv-local)/.test(answer)) throw new Error(answer.slice(0, 200))
        })
        await fc.assert(property, { numRuns: runs, seed })
        return { note: `${runs} connections, seed ${seed}` }
      },
    },
  ],
}

function isMessage(line: string): boolean {
  try {
    return (JSON.parse(line) as { jsonrpc?: unknown }).jsonrpc === '2.0'
  } catch {
    // That is the answer.
    return false
  }
}

/** Frames that no honest client sends. */
export const malformedMcp: readonly Fault[] = [malformedFrames]
