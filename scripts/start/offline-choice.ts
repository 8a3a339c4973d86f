/** A tool as a model sees it. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: unknown
}

export interface Choice {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
}

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(/\p{L}+/gu))
}

const synonyms: Readonly<Record<string, string>> = {
  add: 'sum',
  plus: 'sum',
  加: 'sum',
  求和: 'sum',
  repeat: 'echo',
  说: 'echo',
  重复: 'echo',
  picture: 'image',
  图片: 'image',
  图: 'image',
}

function shared(prompt: string, tool: OfferedTool): number {
  const inName = words(tool.name.replaceAll(/[_-]/g, ' '))
  const inDescription = words(tool.description)
  const asked = new Set(words(prompt))
  for (const [word, meaning] of Object.entries(synonyms)) if (prompt.toLowerCase().includes(word)) asked.add(meaning)
  let score = prompt.includes(tool.name) ? 100 : 0
  for (const word of asked) score += inName.has(word) ? 3 : inDescription.has(word) ? 1 : 0
  return score
}

function valueFor(property: Property, prompt: string, numbers: number[]): unknown {
  if (property.enum !== undefined) return property.enum[0]
  switch (property.type) {
    case 'number':
    case 'integer':
      return numbers.shift() ?? 1
    case 'boolean':
      return false
    case 'array':
      return []
    case 'object':
      return {}
    default:
      return prompt
  }
}

/**
 * What the offline model calls for a prompt: the MCP tool that shares the most words with it, an `echo` tool when none
 * does; required arguments are filled from the prompt. `undefined` when no MCP tool is offered.
 */
export function chooseCall(prompt: string, tools: readonly OfferedTool[]): Choice | undefined {
  const offered = tools.filter((tool) => tool.name.startsWith('mcp__'))
  let best = offered.find((tool) => tool.name.endsWith('echo')) ?? offered[0]
  let most = 0
  for (const tool of offered) {
    const score = shared(prompt, tool)
    if (score > most) [best, most] = [tool, score]
  }
  if (best === undefined) return undefined
  const schema = best.parameters as ObjectSchema
  const numbers = (prompt.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number)
  const values = (schema.required ?? []).map((name) => [
    name,
    valueFor(schema.properties?.[name] ?? {}, prompt, numbers),
  ])
  return { tool: best.name, arguments: Object.fromEntries(values) as Record<string, unknown> }
}
