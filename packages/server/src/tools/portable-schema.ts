import { isJsonObject } from '../gateway/index.ts'
import type { JsonObject, JsonValue } from '../gateway/index.ts'

/**
 * The same JSON Schema for clients that map tool schemas onto a narrower dialect: a list of types becomes `anyOf`, and
 * members of any kind are allowed with `true` rather than with an empty schema.
 */
export function portableSchema(schema: JsonObject): JsonObject {
  const members = Object.entries(schema).map(
    ([key, value]) => [key, key === 'additionalProperties' && isEmpty(value) ? true : portable(value)] as const,
  )
  const { type, description, ...rest } = Object.fromEntries(members)
  const told = description === undefined ? {} : { description }
  if (!Array.isArray(type)) return { ...(type === undefined ? {} : { type }), ...told, ...rest }
  const kinds = type as readonly JsonValue[]
  return { ...told, anyOf: kinds.map((kind) => (kind === 'null' ? { type: kind } : { type: kind, ...rest })) }
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value !== undefined && isJsonObject(value) && Object.keys(value).length === 0
}

function portable(value: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((entry: JsonValue) => portable(entry) ?? null)
  return isJsonObject(value) ? portableSchema(value) : value
}
