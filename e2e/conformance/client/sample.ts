interface Schema {
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, unknown>>
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly minimum?: number
}

function valueOf(schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0]
  switch (schema.type) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'array':
      return []
    case 'object':
      return sampleOf(schema)
    default:
      return 'sample'
  }
}

/** A value for each property of an object schema; without those that have a default, when asked to leave them out. */
export function sampleOf(
  schema: unknown,
  { withDefaults = true } = {},
): Record<string, string | number | boolean | string[]> {
  const { properties = {} } = (schema ?? {}) as Schema
  const entries = Object.entries(properties)
    .map(([name, property]) => [name, (property ?? {}) as Schema] as const)
    .filter(([, property]) => withDefaults || property.default === undefined)
    .map(([name, property]) => [name, valueOf(property)])
  return Object.fromEntries(entries) as Record<string, string | number | boolean | string[]>
}
