import type {
  CallContext,
  InputRequired,
  JsonObject,
  JsonValue,
  ToolResult,
} from '../../../packages/server/src/gateway/index.ts'

type Outcome = ToolResult | InputRequired

export type Tool = (args: JsonObject, context: CallContext) => Outcome | Promise<Outcome>

export function text(value: string): ToolResult {
  return { content: [{ type: 'text', text: value }] }
}

/** A value as text: a string as it is, anything else as JSON. */
export function show(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
