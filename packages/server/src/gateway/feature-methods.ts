import { ProtocolError } from './errors.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { Method, MethodTable } from './method.ts'
import type { ResourceSet, ToolSet } from './tool-set.ts'

/** Lists never change while the endpoint runs; five minutes bound what a restart with another version leaves stale. */
export const listTtlMs = 300_000

/** The tool and resource methods, the same in both eras. */
export function featureMethods(tools: ToolSet, resources: ResourceSet): MethodTable {
  return {
    'tools/list': list(() => ({ tools: plain(tools.list()) })),
    'tools/call': {
      mirrored: 'name',
      mayRequireInput: true,
      handle: async (params, context) => {
        const { name, arguments: args = {} } = params
        if (typeof name !== 'string') throw new ProtocolError('invalid-params', 'tools/call needs a string "name"')
        if (!isJsonObject(args)) throw new ProtocolError('invalid-params', '"arguments" must be an object')
        return plain(await tools.call(name, args, context))
      },
    },
    'resources/list': list(() => ({ resources: plain(resources.list()) })),
    'resources/templates/list': list(() => ({ resourceTemplates: plain(resources.templates()) })),
    'resources/read': {
      mirrored: 'uri',
      mayRequireInput: true,
      ttlMs: 0,
      handle: async (params, context) => {
        const { uri } = params
        if (typeof uri !== 'string') throw new ProtocolError('invalid-params', 'resources/read needs a string "uri"')
        try {
          return plain(await resources.read(uri, context))
        } catch (error) {
          throw naming(uri, error)
        }
      },
    },
  }
}

function list(result: () => JsonObject): Method {
  return { constant: true, onePage: true, ttlMs: listTtlMs, handle: result }
}

/** What was not found goes back with the error (MCP, Resources, Error handling), where the resource set left it out. */
function naming(uri: string, error: unknown): unknown {
  if (!(error instanceof ProtocolError) || error.kind !== 'resource-not-found' || error.data !== undefined) return error
  return new ProtocolError(error.kind, error.message, { data: { uri }, cause: error })
}

/** Interfaces have no index signature; what they describe here is JSON all the same. */
function plain(value: object): JsonObject & JsonValue[] {
  return value as JsonObject & JsonValue[]
}
