import { importHostPackage } from '@dsh-mcp/testkit'
import type { ObjectSchema, SubsetSchema } from './subset.ts'
import { projectInputSchema } from './tool-schemas.ts'

/** The host's own judgement, which throws with every violation it finds. */
const { assertObjectJsonSchema } = await importHostPackage<{ assertObjectJsonSchema(schema: unknown): void }>(
  '@deepseek-ai/dsh-tools',
)

/** A projection that the host takes. */
export function projected(raw: unknown): ObjectSchema {
  const projection = projectInputSchema(raw)
  if (!projection.ok) throw new Error(projection.reason)
  assertObjectJsonSchema(projection.schema)
  return projection.schema
}

/** The projection of one property of an object root. */
export const property = (schema: unknown, extra: Record<string, unknown> = {}): SubsetSchema =>
  projected({ type: 'object', properties: { a: schema }, ...extra }).properties!['a']!
