import type { z } from 'zod'
import type { Harness } from '../harness/index.ts'

/** What one call of a tool has to work with. */
export interface ToolCall {
  readonly harness: Harness
  readonly about: About
  /** The MCP client's own name for itself, for attribution only. */
  readonly client: string | undefined
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

/** What the server says of itself. */
export interface About {
  readonly name: string
  readonly version: string
  /** The endpoint as clients reach it; null while it has none. */
  endpoint(): { readonly url: string; readonly auth: readonly string[] } | null
  readonly limits: Readonly<Record<string, number>>
}

/** MCP tool annotations, all of them stated. */
export interface Hints {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
  /** Whether a model, a shell or the network may run as a consequence. */
  readonly openWorld: boolean
}

/** A result as a tool builds it. */
export type Immutable<T> = T extends readonly (infer Element)[]
  ? readonly Immutable<Element>[]
  : T extends object
    ? { readonly [Key in keyof T]: Immutable<T[Key]> }
    : T

export interface Tool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: Hints
  readonly input: Input
  /** The fields a client may rely on; the result may hold more. */
  readonly output: Output
  /** Arguments for the reference page. */
  readonly example: z.input<Input>
  /** @throws Failure */
  run(args: z.output<Input>, call: ToolCall): Promise<Immutable<z.output<Output>>>
  /** The text block beside the structured content; without it an outline of the same data. */
  render?(output: Immutable<z.output<Output>>): string
}

/** A tool whose argument and result types follow from its schemas. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>(tool: Tool<Input, Output>): Tool {
  return tool
}

export const reads: Hints = { readOnly: true, destructive: false, idempotent: true, openWorld: false }
