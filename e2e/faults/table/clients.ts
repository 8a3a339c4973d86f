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
        const before = await handlesOf(scene)
        await Promise.all(Array.from({ length: clients }, (_, index) => oneClient(scene, endpoint, index)))
        const after = await eventually(
          'their connections are gone',
          async () => {
            const now = await handlesOf(scene)
            return now <= before + 10 ? now : undefined
          },
          60_000,
        )
        return { note: `${clients} clients, handles ${before} → ${after}` }
      },
    },
  ],
}

/** Many programs at once. */
export const clients: readonly Fault[] = [manyClients]
