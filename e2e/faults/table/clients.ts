import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  Client,
  StreamableHTTPClientTransport,
  type JsonSchemaType,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/client'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv'
import { eventually } from '@dsh-mcp/testkit'
import type { Fault } from '../fault.ts'
import { handlesOf } from '../held.ts'
import type { Scene } from '../scene.ts'

/** Compiles each schema once for all clients: real ones compile in processes of their own, on cores of their own. */
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

/** Share of requests that may have to be sent once more. */
const resent = 0.02

/**
 * Sends a request, and once more when its connection ended before anything came back: on a busy machine a pool uses
 * connections that the harness, after five seconds of rest, is closing. Each of them is told to `again`.
 */
function patientFetch(again: () => void): typeof fetch {
  return async (input, init) => {
    try {
      return await fetch(input, init)
    } catch (error) {
      const { cause } = error as Error
      if (!(cause instanceof Error) || !/other side closed|ECONNRESET/.test(String(cause))) throw error
      again()
      return fetch(input, init)
    }
  }
}

interface Endpoint {
  readonly url: string
  readonly token: string
}

async function oneClient(scene: Scene, endpoint: Endpoint, index: number, again: () => void): Promise<void> {
  const client = new Client({ name: `client-${index}`, version: '1' }, { jsonSchemaValidator })
  const transport = new StreamableHTTPClientTransport(new URL(endpoint.url), {
    fetch: patientFetch(again),
    // One connection for each request, which is the harder way for the harness, and the one without races of the pool.
    requestInit: { headers: { authorization: `Bearer ${endpoint.token}`, connection: 'close' } },
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
        const endpoint = JSON.parse(published) as Endpoint
        const before = await handlesOf(scene)
        let times = 0
        const again = (): void => void times++
        await Promise.all(Array.from({ length: clients }, (_, index) => oneClient(scene, endpoint, index, again)))
        // Each client sends five requests.
        if (times > clients * 5 * resent) throw new Error(`${times} requests met a connection that was being closed`)
        const after = await eventually(
          'their connections are gone',
          async () => {
            const now = await handlesOf(scene)
            return now <= before + 10 ? now : undefined
          },
          60_000,
        )
        return { note: `${clients} clients, ${times} requests sent again, handles ${before} → ${after}` }
      },
    },
  ],
}

/** Many programs at once. */
export const clients: readonly Fault[] = [manyClients]
