import type { QuarantinedTool, RemoteTool } from './connection.ts'

/** A list of tools as read: what can be offered, what cannot, and a copy the engine accepts whole. */
export interface ReadTools {
  readonly tools: readonly RemoteTool[]
  readonly quarantined: readonly QuarantinedTool[]
  readonly forEngine: readonly Record<string, unknown>[]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * Reads the tools of one `tools/list` page. One that has no usable name or no schema object is put aside with its reason,
 * the others stay; no input throws.
 */
export function readTools(raw: unknown): ReadTools {
  const tools: RemoteTool[] = []
  const quarantined: QuarantinedTool[] = []
  const forEngine: Record<string, unknown>[] = []
  for (const [index, entry] of (Array.isArray(raw) ? (raw as unknown[]) : []).entries()) {
    if (!isRecord(entry)) {
      quarantined.push({ name: `#${index + 1}`, reason: 'the entry is no object' })
      continue
    }
    const { name } = entry
    if (typeof name !== 'string' || name === '') {
      quarantined.push({ name: `#${index + 1}`, reason: 'the tool has no name' })
      continue
    }
    const inputSchema = entry.inputSchema === undefined ? { type: 'object' } : entry.inputSchema
    if (!isRecord(inputSchema)) {
      const what = inputSchema === null ? 'null' : Array.isArray(inputSchema) ? 'a list' : typeof inputSchema
      quarantined.push({ name, reason: `its inputSchema is ${what}, not a JSON Schema object` })
      continue
    }
    const title = optionalText(entry.title)
    const description = optionalText(entry.description)
    tools.push({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema,
      ...(entry.outputSchema !== undefined && { outputSchema: entry.outputSchema }),
      ...(isRecord(entry.annotations) && { annotations: entry.annotations }),
    })
    // The engine wants an object schema, and would refuse results that break an output schema; both are judged elsewhere.
    forEngine.push({
      name,
      inputSchema: inputSchema.type === 'object' ? inputSchema : { ...inputSchema, type: 'object' },
    })
  }
  return { tools, quarantined, forEngine }
}

/** Joins pages: of tools with the same name the first stays. */
export function joinTools(pages: readonly ReadTools[]): Omit<ReadTools, 'forEngine'> {
  const tools = new Map<string, RemoteTool>()
  const quarantined = pages.flatMap((page) => page.quarantined)
  for (const tool of pages.flatMap((page) => page.tools)) {
    if (tools.has(tool.name)) quarantined.push({ name: tool.name, reason: 'the server lists this name twice' })
    else tools.set(tool.name, tool)
  }
  return { tools: [...tools.values()], quarantined }
}
