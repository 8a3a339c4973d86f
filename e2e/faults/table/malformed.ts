import { connect } from 'node:net'
import * as fc from 'fast-check'
import { openTestApi } from '../../../packages/manager/src/web/test-parts.ts'
import type { ApiRequest } from '../../manager/api-client.ts'
import { startBridge } from '../bridge.ts'
import type { Fault } from '../fault.ts'
import { servers, type Scene } from '../scene.ts'

/** Text that has broken parsers before. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  '../../../etc/passwd',
  '/dev/zero',
  '${HOME}',
  '${',
  '<script>alert(1)</script>',
  "'; DROP TABLE servers; --",
  '\u202E\uFEFF',
  '\uD800',
  'javascript:alert(1)',
  'http://[::1',
  'file:///etc/passwd',
  'http://169.254.169.254/',
  'x'.repeat(5_000),
)

const anything: fc.Arbitrary<unknown> = fc.oneof(
  nasty,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(-0, 1e308, -1, 2 ** 53, 0.1, true, null),
  fc.constant(JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown),
)

/** Members the API knows, so that values of the wrong kind get as far as they can. */
const members =
  'name type url command args env cwd headers headerEnv authMode tokenEnv clientId scope timeout enabled id path oldName ' +
  'server exclude allow tool arguments entries text definition __proto__ toString'
const member = fc.constantFrom(...members.split(' '))

const object = fc.array(fc.tuple(member, anything), { maxLength: 8 }).map((pairs) => {
  // Written as text: an object literal would swallow "__proto__".
  const parts = pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`)
  return `{${parts.join(',')}}`
})

/** A valid text with a piece cut out or put in. */
function torn(of: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(of, fc.nat(), fc.nat({ max: 12 }), fc.string({ maxLength: 6 })).map(([text, at, length, put]) => {
    const from = text.length === 0 ? 0 : at % text.length
    return text.slice(0, from) + put + text.slice(from + length)
  })
}

const body = fc.oneof({ arbitrary: object, weight: 4 }, torn(object), fc.string(), fc.json())

const headers = fc.oneof(
  { arbitrary: fc.constant({}), weight: 6 },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { 'content-type': 'application/json; charset=utf-16' },
    { 'content-type': 'text/plain' },
    { origin: 'http://evil.example' },
    { host: 'evil.example' },
    { cookie: 'x'.repeat(9_000) },
  ),
)

const id = fc.constantFrom('absent', 'victim', '__proto__', 'constructor', '%00', '..', 'a%2fb', 'x'.repeat(3_000))

/** All that a call can reach. */
const routes = await (async () => {
  await using listed = await openTestApi()
  // Waiting for a stream of events or for a person is no failure.
  return listed.api.routes.filter(({ path }) => !/events|callback/.test(path))
})()

async function send(scene: Scene, method: string, path: string, request: ApiRequest): Promise<string | undefined> {
  const answer = await scene.api(method, path, request)
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  if (answer.status >= 500) return `${answer.status} ${text}`
  if (answer.status >= 400 && answer.status !== 404 && typeof (answer.body as { error?: unknown }).error !== 'string') {
    return `${answer.status} without a reason: ${text.slice(0, 200)}`
  }
  return undefined
}

async function removeStrangers(scene: Scene): Promise<void> {
  const own = new Set<string>(Object.values(servers))
  const { body: listed } = await scene.api('GET', '/api/servers')
  for (const { id: found } of (listed as { servers: { id: string }[] }).servers) {
    if (!own.has(found)) await scene.api('DELETE', `/api/servers/${found}`)
  }
  await scene.api('POST', '/api/settings/on-demand', { body: { enabled: false } })
}

const malformedCalls: Fault = {
  fault: 'malformed calls of the page API',
  points: [
    {
      point: 'on every route',
      async inject(scene, { calls, seed }) {
        const call = fc.record({ route: fc.constantFrom(...routes), id, body, headers })
        const property = fc.asyncProperty(call, async ({ route, id: named, body: sent, headers: more }) => {
          const path = route.path.replaceAll(/:\w+/g, named)
          const request = route.method === 'GET' ? { headers: more } : { headers: more, body: sent }
          const wrong = await send(scene, route.method, path, request)
          if (wrong !== undefined) throw new Error(`${route.method} ${path}: ${wrong}`)
        })
        await fc.assert(property, { numRuns: calls, seed, endOnFailure: false, interruptAfterTimeLimit: calls * 100 })
        await removeStrangers(scene)
        return { note: `${calls} calls, seed ${seed}` }
      },
    },
  ],
}

const envelope = fc.array(
  fc.tuple(
    fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', 'error', '_meta', '__proto__'),
    fc.oneof(
      anything,
      fc.constantFrom<unknown>('2.0', '1.0', 1, 'tools/call', 'tools/list', 'initialize', 'resources/read', 'ping'),
      fc.record({
        name: fc.oneof(
          nasty,
          fc.constantFrom('dsh_get_session', 'dsh_list_sessions', 'dsh_read_session', 'dsh_status'),
        ),
        arguments: fc.oneof(
          anything,
          fc.record({
            sessionId: anything,
            limit: anything,
            cursor: anything,
            afterSeq: anything,
            messageId: anything,
          }),
        ),
        uri: anything,
        protocolVersion: anything,
        clientInfo: anything,
        _meta: anything,
      }),
    ),
  ),
  { minLength: 1, maxLength: 6 },
)

const frame = envelope.map(
  (pairs) => `{${pairs.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`,
)
const frames = fc.oneof(
  { arbitrary: frame, weight: 4 },
  torn(frame),
  fc.array(frame, { maxLength: 4 }).map((list) => `[${list.join(',')}]`),
  fc.string(),
)
const rawFrames = fc.oneof({ arbitrary: frames, weight: 5 }, fc.uint8Array({ maxLength: 300 }))

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
        const property = fc.asyncProperty(rawFrames, frameHeaders, async (bytes, more) => {
          const { status, text } = await scene.mcp(typeof bytes === 'string' ? bytes : new Uint8Array(bytes), more)
          if (status >= 500) throw new Error(`${status} ${text}`)
          if (status === 200 && !/"(?:result|error)"/.test(text)) throw new Error(`200 and neither: ${text}`)
        })
        const runs = Math.ceil(amount * 0.6)
        await fc.assert(property, { numRuns: runs, seed })
        return { note: `${runs} frames, seed ${seed}` }
      },
    },
    {
      point: 'to the bridge',
      async inject(scene, { frames: amount, seed }) {
        const runs = Math.ceil(amount * 0.35)
        await using bridge = startBridge(scene)
        for (const bytes of fc.sample(rawFrames, { numRuns: runs, seed })) {
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

/** Input that no honest program sends. */
export const malformed: readonly Fault[] = [malformedCalls, malformedFrames]
