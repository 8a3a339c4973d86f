/** JSON data without `undefined`, `-0`, non-finite numbers or class instances. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type Scalar = string | number | boolean | null

export type SubsetType = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null'

/**
 * The JSON Schema vocabulary the harness enforces on tool outputs and types in code mode (observed on DSH 0.1.0-rc.8): one
 * `type` or a `oneOf` of two or more, `properties`, `required`, boolean `additionalProperties`, one `items`, scalar `enum`
 * and `const`, and annotations. A schema without `type` and `oneOf` means any JSON value.
 */
export interface SubsetSchema {
  type?: SubsetType
  title?: string
  description?: string
  default?: Json
  examples?: Json
  properties?: Record<string, SubsetSchema>
  required?: string[]
  additionalProperties?: boolean
  items?: SubsetSchema
  enum?: Scalar[]
  const?: Scalar
  oneOf?: SubsetSchema[]
}

/** A tool's parameters: always an object at the root. */
export interface ObjectSchema extends SubsetSchema {
  type: 'object'
}

export type RawNode = Readonly<Record<string, unknown>>

export const isRecord = (value: unknown): value is RawNode =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isScalar = (value: unknown): value is Scalar =>
  value === null || typeof value === 'string' || typeof value === 'boolean' || isFiniteNumber(value)

const isFiniteNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** The harness takes no negative zero: JSON has none to give back. */
export const lossless = (value: Scalar): Scalar => (Object.is(value, -0) ? 0 : value)

/** Sets an own property whatever its name, `__proto__` included. */
export function put<T>(target: Record<string, T>, key: string, value: T): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
  } else target[key] = value
}

/** Whether a value belongs to one type of the subset. */
export function hasType(type: SubsetType, value: unknown): boolean {
  if (type === 'object') return isRecord(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'number') return isFiniteNumber(value)
  if (type === 'integer') return Number.isInteger(value)
  return type === 'null' ? value === null : typeof value === type
}

/** Whether a JSON value satisfies a schema of the subset, as the harness would judge it. */
export function satisfies(schema: SubsetSchema, value: unknown): boolean {
  if (schema.oneOf !== undefined) return schema.oneOf.filter((branch) => satisfies(branch, value)).length === 1
  if (schema.type === undefined) return true
  if (!hasType(schema.type, value)) return false
  if (Array.isArray(value)) return schema.items === undefined || value.every((item) => satisfies(schema.items!, item))
  if (!isRecord(value)) {
    return (
      (schema.enum === undefined || schema.enum.some((entry) => entry === value)) &&
      (schema.const === undefined || schema.const === value)
    )
  }
  const { properties = {}, required = [], additionalProperties } = schema
  return (
    required.every((key) => Object.hasOwn(value, key)) &&
    Object.keys(value).every((key) => {
      if (Object.hasOwn(properties, key)) return satisfies(properties[key]!, value[key])
      return additionalProperties !== false
    })
  )
}
