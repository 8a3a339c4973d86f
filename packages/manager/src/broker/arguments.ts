import * as z from 'zod'

const toolName = z.string().min(1).describe('Name of the tool as mcp_search_tools gives it.')

/** Input of `mcp_search_tools`. `limit` is clamped, not refused. */
export const searchInput = z.object({
  query: z.string().optional().describe('What the tool should do, or its name. Leave out to list all tools.'),
  server: z.string().optional().describe('Only tools of this server: its exact name, any case.'),
  limit: z.number().optional().describe('Most matches to return: 1 to 50, default 10.'),
})

/** Input of `mcp_describe_tool`. */
export const describeInput = z.object({ name: toolName })

/** Input of `mcp_execute_tool`. */
export const executeInput = z.object({
  name: toolName,
  arguments: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Arguments of the tool, by its input schema. Default: none.'),
})

/** Optional members some models send as `null`, and objects they send as JSON text. */
function repaired(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given ?? {}
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== undefined))
  const { arguments: text } = input
  if (typeof text !== 'string') return input
  try {
    return { ...input, arguments: JSON.parse(text) }
  } catch {
    // Not JSON: the schema below says what is expected.
    return input
  }
}

/** @throws Error that names the tool and each wrong member. */
export function readInput<Schema extends z.ZodType>(tool: string, schema: Schema, given: unknown): z.output<Schema> {
  const read = schema.safeParse(repaired(given))
  if (read.success) return read.data
  const faults = read.error.issues.map(({ path, message }) => `"${path.join('.') || 'input'}": ${message}`)
  throw new Error(`${tool} got a wrong input: ${faults.join('; ')}`)
}
