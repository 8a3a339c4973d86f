import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { openTestApi } from '../../../packages/manager/src/web/test-parts.ts'
import type { ApiRequest } from '../../manager/api-client.ts'
import type { Fault } from '../fault.ts'
import { anything, torn } from '../nasty.ts'
import { servers, type Scene } from '../scene.ts'

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

/** Bodies that a route takes. */
const valid: readonly Readonly<Record<string, unknown>>[] = [
  { name: 'one', type: 'stdio', command: 'no-such-program', args: ['a'], env: { A: 'b' }, cwd: '/', enabled: false },
  { name: 'two', type: 'http', url: 'http://127.0.0.1:1/mcp', headers: { a: 'b' }, timeout: 1000, enabled: false },
  { path: '/nowhere', name: 'one', server: 'one', enabled: false, exclude: true, allow: ['a'] },
  { tool: 'echo', arguments: { text: 'x' } },
  { text: '{"mcpServers":{"a":{"command":"b"}}}', entries: [{ name: 'a', definition: { command: 'b' } }] },
]

/** A valid body with one member of another kind. */
const mutated = fc
  .constantFrom(...valid)
  .chain((good) =>
    fc
      .tuple(fc.constantFrom(...Object.keys(good)), anything)
      .map(([key, value]) => JSON.stringify({ ...good, [key]: value })),
  )

const body = fc.oneof(
  { arbitrary: object, weight: 3 },
  { arbitrary: mutated, weight: 3 },
  torn(object),
  torn(mutated),
  fc.string(),
  fc.json(),
)

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

/** Stands for the id of a server that exists. */
const victim = 'victim'
const id = fc.oneof(
  { arbitrary: fc.constant(victim), weight: 4 },
  fc.constantFrom('absent', '__proto__', 'constructor', '%00', '..', 'a%2fb', 'x'.repeat(3_000)),
)

/** All that a call can reach. */
const routes = await (async () => {
  await using listed = await openTestApi()
  // Waiting for a stream of events or for a person is no failure.
  return listed.api.routes.filter(({ path }) => !/events|callback/.test(path))
})()

interface Judged {
  readonly accepted: boolean
  readonly wrong?: string
}

async function send(scene: Scene, method: string, path: string, request: ApiRequest): Promise<Judged> {
  const answer = await scene.api(method, path, request)
  const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
  const accepted = answer.status < 300
  if (answer.status >= 500) return { accepted, wrong: `${answer.status} ${text}` }
  if (answer.status >= 400 && answer.status !== 404 && typeof (answer.body as { error?: unknown }).error !== 'string') {
    return { accepted, wrong: `${answer.status} without a reason: ${text.slice(0, 200)}` }
  }
  return { accepted }
}

/** The id of a server that is there to be hit; another one when a call has deleted the last. */
async function victimOf(scene: Scene, last: string | undefined): Promise<string> {
  const { body: listed } = await scene.api('GET', '/api/servers')
  if (last !== undefined && (listed as { servers: { id: string }[] }).servers.some(({ id: found }) => found === last)) {
    return last
  }
  const declared = { name: `v-${randomUUID().slice(0, 13)}`, type: 'stdio', command: 'no-such-program', enabled: false }
  const { status, body: added } = await scene.api('POST', '/api/servers', { body: declared })
  if (status !== 201) throw new Error(`no server could be declared: ${status} ${JSON.stringify(added)}`)
  return (added as { server: { id: string } }).server.id
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
        let existing: string | undefined
        let sentCalls = 0
        let reached = 0
        const property = fc.asyncProperty(call, async ({ route, id: named, body: sent, headers: more }) => {
          if (route.path.includes(':') && named === victim) existing = await victimOf(scene, existing)
          const path = route.path.replaceAll(/:\w+/g, named === victim ? (existing ?? named) : named)
          const request = route.method === 'GET' ? { headers: more } : { headers: more, body: sent }
          const { wrong, accepted } = await send(scene, route.method, path, request)
          sentCalls++
          if (accepted) reached++
          if (wrong !== undefined) throw new Error(`${route.method} ${path}: ${wrong}`)
        })
        const limit = { interruptAfterTimeLimit: 60_000 + calls * 300, markInterruptAsFailure: true }
        await fc.assert(property, { numRuns: calls, seed, ...limit })
        await removeStrangers(scene)
        return { note: `${sentCalls} calls, ${reached} of them accepted, seed ${seed}` }
      },
    },
  ],
}

/** Calls that no honest page makes. */
export const malformedApi: readonly Fault[] = [malformedCalls]
