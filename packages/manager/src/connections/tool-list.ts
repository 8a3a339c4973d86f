import type { QuarantinedTool, RemoteTool } from './connection.ts'

/** A list of tools as read: what can be offered, what cannot, and a copy the engine accepts whole. */
export interface ReadTools {
  readonly tools: readonly RemoteTool[]
  readonly quarantined: readonly QuarantinedTool[]
  readonly forEngine: readonly Record<string, unknown>[]
  /** Names of tools that run as tasks only (`execution.taskSupport: "required"`, MCP 2025-11-25). */
  readonly taskOnly: readonly string[]
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Levels of objects and lists in a schema; beyond them a recursive reader may run out of stack. */
const deepest = 600

/** Whether data is nested deeper than can be read safely, and whether it names `key` anywhere. Never recursive. */
function inspect(root: unknown, key: string): { readonly tooDeep: boolean; readonly named: boolean } {
  let level: unknown[] = [root]
  let named = false
  for (let depth = 0; depth <= deepest; depth++) {
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      if (!Array.isArray(value) && Object.hasOwn(value, key)) named = true
      for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) next.push(member)
    }
    if (next.length === 0) return { tooDeep: false, named }
    level = next
  }
  return { tooDeep: true, named }
}

const isReadable = (value: unknown): boolean => !inspect(value, '').tooDeep

/** Marks a parameter that the client sends as a header too (MCP 2026-07-28, Streamable HTTP): the engine looks for it. */
const headerMark = 'x-mcp-header'

/**
 * Reads the tools of one `tools/list` page. One that has no usable name or no schema object is put aside with its reason,
 * the others stay; no input throws.
 */
export function readTools(raw: unknown): ReadTools {
  const tools: RemoteTool[] = []
  const quarantined: QuarantinedTool[] = []
  const forEngine: Record<string, unknown>[] = []
  const taskOnly: string[] = []
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
    const { tooDeep, named: hasHeaders } = inspect(inputSchema, headerMark)
    if (tooDeep) {
      quarantined.push({ name, reason: `its inputSchema is nested deeper than ${deepest} levels` })
      continue
    }
    if (isRecord(entry.execution) && entry.execution.taskSupport === 'required') taskOnly.push(name)
    const title = optionalText(entry.title)
    const description = optionalText(entry.description)
    tools.push({
      name,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      inputSchema,
      ...(entry.outputSchema !== undefined && isReadable(entry.outputSchema) && { outputSchema: entry.outputSchema }),
      ...(isRecord(entry.annotations) && isReadable(entry.annotations) && { annotations: entry.annotations }),
    })
    // The engine wants an object schema, and would refuse results that break an output schema; both are judged elsewhere.
    // All it looks for in the schema are marks for headers: without them it is spared checking and copying the rest.
    forEngine.push({ name, inputSchema: hasHeaders ? { ...inputSchema, type: 'object' } : { type: 'object' } })
  }
  return { tools, quarantined, forEngine, taskOnly }
}

/** Joins pages: of tools with the same name the first stays. */
export function joinTools(pages: readonly ReadTools[]): Omit<ReadTools, 'forEngine'> {
  const tools = new Map<string, RemoteTool>()
  const twice = new Set<string>()
  for (const tool of pages.flatMap((page) => page.tools)) {
    if (tools.has(tool.name)) twice.add(tool.name)
    else tools.set(tool.name, tool)
  }
  const repeated = [...twice].map((name) => ({ name, reason: 'the server lists this name more than once' }))
  return {
    tools: [...tools.values()],
    quarantined: [...pages.flatMap((page) => page.quarantined), ...repeated],
    taskOnly: pages.flatMap((page) => page.taskOnly),
  }
}
