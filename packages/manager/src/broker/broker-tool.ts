import type { ToolContentBlock } from '@dsh-mcp/host'

/** Names of the three tools. */
export const SEARCH_TOOLS = 'mcp_search_tools'
export const DESCRIBE_TOOL = 'mcp_describe_tool'
export const EXECUTE_TOOL = 'mcp_execute_tool'

type ObjectSchema = Readonly<Record<string, unknown>>

/** An object of these members, all required but the `optional`, and no others. */
export function objectOf(properties: ObjectSchema, optional: readonly string[] = []): ObjectSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required, additionalProperties: false }
}

/** Shows a value to the model as the JSON it is. */
export function asJson(_args: unknown, value: unknown): ToolContentBlock[] {
  return [{ type: 'text', text: JSON.stringify(value) }]
}

/** What a model request carries of a tool. */
export interface ToolAppearance {
  readonly name: string
  readonly description: string
  readonly parameters: object
}
