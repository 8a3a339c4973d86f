import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  Client,
  StreamableHTTPClientTransport,
  type JsonSchemaType,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { eventually, processesWith } from '@dsh-mcp/testkit'
import { startBridge } from '../bridge.ts'
import type { Fault } from '../fault.ts'
import { servers, type Scene } from '../scene.ts'
import { join } from 'node:path'

/** What a process holds. */
interface Held {
  readonly megabytes: number
  readonly handles: number
  readonly processes: number
}

async function heldBy(scene: Scene): Promise<Held> {
  const { pid } = scene.host().child
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const handles = await readdir(`/proc/${pid}/fd`)
  return {
    megabytes: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024,
    handles: handles.length,
    processes: (await processesWith(scene.mark)).length,
  }
}

/**
 * Compiles each schema once for all clients. Real ones compile in a process of their own; here the 500 would stop the
 * process they share for so long that their idle connections end before they are used again.
 */
function validatorForAll(): jsonSchemaValidator {
  const engine = new AjvJsonSchemaValidator()
  // The engine knows a schema again by its identity.
  const schemas = new Map<string, JsonSchemaType>()
  return {
    getValidator(schema) {
      const text = JSON.stringify(schema)
      const known = schemas.get(text) ?? schema
      schemas.set(text, known)
      return engine.getValidator(known)
    },
  }
}
const jsonSchemaValidator = validatorForAll()

async function oneClient(scene: Scene, endpoint: { url: string; token: string }, index: number): Promise<void> {
  const client = new Client({ name: `client-${index}`, version: '1' }, { jsonSchemaValidator })
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    requestInit: { headers: { authorization: `Bearer ${endpoint.token}` } },
  })
  await client.connect(transport)
  try {
    const { tools } = await client.listTools()
    if (tools.length === 0) throw new Error(`client ${index} saw no tools`)
    const answer = await client.callTool({ name: 'dsh_list_sessions', arguments: {} })
    scene.see('an MCP client', JSON.stringify(answer))
    if (answer.isError === true) throw new Error(`client ${index}: ${JSON.stringify(answer.content)}`)
  } finally {
    await client.close()
  }
}

const manyClients: Fault = {
  fault: 'many MCP clients at once',
  points: [
    {
      point: 'each connects, lists and calls',
      async inject(scene, { clients }) {
        if (process.platform !== 'linux') return { skipped: 'handles are counted in /proc' }
        const published = await readFile(join(scene.home, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')
        const endpoint = JSON.parse(published) as { url: string; token: string }
        const before = await heldBy(scene)
        await Promise.all(Array.from({ length: clients }, (_, index) => oneClient(scene, endpoint, index)))
        const after = await eventually(
          'their connections are gone',
          async () => {
            const held = await heldBy(scene)
            return held.handles <= before.handles + 10 ? held : undefined
          },
          60_000,
        )
        return { note: `${clients} clients, handles ${before.handles} → ${after.handles}` }
      },
    },
  ],
}

/** One round of what users and agents do. */
async function round(scene: Scene, index: number): Promise<void> {
  const body = { name: `load${index}`, type: 'stdio', command: 'no-such-program', enabled: false }
  const { status, body: added } = await scene.api('POST', '/api/servers', { body })
  if (status !== 201) throw new Error(`round ${index}: a server could not be added (${status})`)
  const own = (added as { server: { id: string } }).server.id
  await Promise.all([
    scene.echo(servers.local, `round ${index}`),
    scene.echo(servers.net, `round ${index}`),
    scene.api('GET', '/api/servers'),
    scene.api('GET', `/api/servers/${servers.local}/logs`),
    scene.mcp('{"jsonrpc":"2.0","id":1,"method":"tools/list"}'),
    scene.mcp('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"dsh_list_sessions","arguments":{}}}'),
    scene.mcp('{"jsonrpc":"2.0","id":3,"method":"no/such"}'),
  ])
  await scene.api('DELETE', `/api/servers/${own}`)
  if (index % 25 === 0) {
    await using bridge = startBridge(scene)
    await bridge.ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await scene.api('POST', `/api/servers/${servers.local}/connect`)
    await scene.api('POST', `/api/servers/${servers.net}/connect`)
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const mixedLoad: Fault = {
  fault: 'mixed load',
  points: [
    {
      point: 'with flat memory, handles and processes',
      async inject(scene, { loadSeconds }) {
        if (process.platform !== 'linux') return { skipped: 'memory and handles are read in /proc' }
        const samples: Held[] = []
        const started = performance.now()
        const end = started + loadSeconds * 1_000
        let rounds = 0
        for (let next = started; performance.now() < end; rounds++) {
          await round(scene, rounds)
          if (performance.now() < next) continue
          samples.push(await heldBy(scene))
          next = performance.now() + Math.max(200, loadSeconds * 5)
        }
        await sleep(200)
        // The first quarter is warming up: caches, compiled code.
        const warm = samples.slice(Math.floor(samples.length / 4))
        const [early, late] = [warm.slice(0, Math.ceil(warm.length / 3)), warm.slice(-Math.ceil(warm.length / 3))]
        const of = (part: readonly Held[], what: keyof Held): number => middle(part.map((held) => held[what]))
        const note = (['megabytes', 'handles', 'processes'] as const)
          .map((what) => `${what} ${Math.round(of(early, what))} → ${Math.round(of(late, what))}`)
          .join(', ')
        // A minute or more tells growth from a heap that has not yet been collected.
        const isLong = loadSeconds >= 60
        if (isLong && of(late, 'megabytes') > of(early, 'megabytes') * 1.2 + 16)
          throw new Error(`memory grows: ${note}`)
        if (of(late, 'handles') > of(early, 'handles') + 8) throw new Error(`handles grow: ${note}`)
        if (of(late, 'processes') > 1) throw new Error(`processes grow: ${note}`)
        return { note: `${rounds} rounds in ${loadSeconds} s; ${note}` }
      },
    },
  ],
}

/** Much at once, and for long. */
export const loads: readonly Fault[] = [manyClients, mixedLoad]
