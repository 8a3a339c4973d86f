/** A JSON value (RFC 8259). */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** A JSON object. A member may be `undefined`, which serialization leaves out. */
export interface JsonObject {
  readonly [key: string]: JsonValue | undefined
}

/** Whether `value`, which came out of `JSON.parse`, is an object and not an array or null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
