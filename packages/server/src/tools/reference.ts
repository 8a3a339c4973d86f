import { isJsonObject } from '../gateway/index.ts'
import type { JsonObject, JsonValue } from '../gateway/index.ts'
import { tools } from './catalogue.ts'
import type { Tool } from './definition.ts'
import { definitionOf } from './tool-set.ts'

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function object(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value ?? null) ? (value as JsonObject) : {}
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : []
}

/** A JSON scalar as text. */
function text(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value)
}

function bounds(schema: JsonObject): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern } = schema
  const range = (least: JsonValue | undefined, most: JsonValue | undefined, unit: string) => {
    const safe = most === Number.MAX_SAFE_INTEGER ? undefined : most
    const low = least === Number.MIN_SAFE_INTEGER ? undefined : least
    if (low === undefined && safe === undefined) return ''
    return ` ${text(low)}…${text(safe)}${unit}`
  }
  return [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' entries'),
    typeof pattern === 'string' ? ` \`${pattern}\`` : '',
  ].join('')
}

/** A schema in a few words. */
function typeOf(schema: JsonObject): string {
  const { type, anyOf, items, properties } = schema
  const values = schema.enum
  if (Array.isArray(values))
    return list(values)
      .map((value) => `\`${text(value)}\``)
      .join(' ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map((each) => typeOf(object(each as JsonValue))))].join(' or ')
  if (type === 'array') return `list of ${typeOf(object(items))}${bounds(schema)}`
  if (type === 'object' && properties !== undefined) return `{ ${Object.keys(object(properties)).join(', ')} }`
  const kinds = Array.isArray(type) ? list(type) : [type ?? 'any']
  return `${kinds.map(text).join(' or ')}${bounds(schema)}`
}

function inputRows(schema: JsonObject): readonly string[] {
  const required = new Set(list(schema.required))
  return Object.entries(object(schema.properties)).map(([name, value]) => {
    const member = object(value)
    const standard = member.default === undefined ? '' : `\`${JSON.stringify(member.default)}\``
    const needed = required.has(name) ? 'required' : standard
    return `| \`${name}\` | ${cell(typeOf(member))} | ${needed} | ${cell(text(member.description))} |`
  })
}

function outputRows(schema: JsonObject): readonly string[] {
  return Object.entries(object(schema.properties)).map(
    ([name, value]) => `| \`${name}\` | ${cell(typeOf(object(value)))} | ${cell(text(object(value).description))} |`,
  )
}

function hintsOf({ hints }: Tool): string {
  const { readOnly, destructive, idempotent, openWorld } = hints
  return [
    readOnly ? 'reads only' : 'changes something',
    ...(destructive ? ['may undo or stop work'] : []),
    idempotent ? 'safe to repeat' : 'each call counts',
    ...(openWorld ? ['a model, a shell or the network may run'] : []),
  ].join('; ')
}

function section(tool: Tool): string {
  const { name, title, description, inputSchema, outputSchema } = definitionOf(tool)
  const inputs = inputRows(inputSchema)
  return [
    `## ${name}`,
    '',
    `**${title}.** ${description} (${hintsOf(tool)})`,
    '',
    ...(inputs.length === 0
      ? ['No arguments.']
      : ['| Argument | Type | Default | |', '| --- | --- | --- | --- |', ...inputs]),
    '',
    '| Result | Type | |',
    '| --- | --- | --- |',
    ...outputRows(outputSchema ?? {}),
    '',
    '```json',
    JSON.stringify({ name, arguments: tool.example }, null, 2),
    '```',
    '',
  ].join('\n')
}

/** The reference page of all tools, in Markdown. */
export function toolReference(): string {
  return [
    '# The tools',
    '',
    '<!-- Written by scripts/tools-doc.ts from the schemas of the tools. Do not edit. -->',
    '',
    'What an MCP client can do with a running harness. An argument that a tool does not know is an error. A result may hold',
    'more than is listed here. A call that fails has `isError: true`, one text `code: message. hint`, and the same in',
    '`_meta["dsh-mcp/error"]`. Times are ISO 8601 in UTC; `seq` is the number of an event in a session, from 0 and without',
    'gaps.',
    '',
    ...tools.map((tool) => `- [${tool.name}](#${tool.name}): ${tool.description}`),
    '',
    ...tools.map(section),
  ].join('\n')
}
