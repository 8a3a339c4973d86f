import type { Key } from '../locales/index.ts'

/** How a field is entered. `json` takes any JSON value as text; `choice` one of `choices`. */
export type Control = 'text' | 'number' | 'integer' | 'boolean' | 'choice' | 'json'

/** One argument of a tool. */
export interface SchemaField {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly control: Control
  /** JSON values, with the text that shows them. */
  readonly choices: readonly { readonly text: string; readonly value: unknown }[]
  /** What an empty `json` field looks like. */
  readonly example: string
  /** Text to begin with. */
  readonly initial: string
}

/** Field name → text as typed. */
export type FieldTexts = Readonly<Record<string, string>>

type Schema = Readonly<Record<string, unknown>>

function objectOf(value: unknown): Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Schema) : {}
}

/** The fields of a tool's input schema: one for each property of the object, in the order of the schema. */
export function fieldsOf(inputSchema: unknown): readonly SchemaField[] {
  const schema = objectOf(inputSchema)
  const required = new Set(Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [])
  return Object.entries(objectOf(schema['properties'])).map(([name, property]) =>
    fieldOf(name, objectOf(property), required.has(name)),
  )
}

function fieldOf(name: string, schema: Schema, required: boolean): SchemaField {
  const values = choicesOf(schema)
  const control = values.length > 0 ? 'choice' : controlOf(schema)
  const choices = values.map((value) => ({ text: typeof value === 'string' ? value : JSON.stringify(value), value }))
  const initial = schema['default'] === undefined ? '' : textOf(schema['default'], control)
  const description = typeof schema['description'] === 'string' ? schema['description'] : ''
  return { name, description, required, control, choices, example: exampleOf(schema), initial }
}

function choicesOf(schema: Schema): readonly unknown[] {
  if (Array.isArray(schema['enum'])) return schema['enum'] as unknown[]
  if (schema['const'] !== undefined) return [schema['const']]
  const union = schema['oneOf'] ?? schema['anyOf']
  if (!Array.isArray(union)) return []
  const constants = union.map((option) => objectOf(option)['const'])
  return constants.every((value) => value !== undefined) ? constants : []
}

function controlOf(schema: Schema): Control {
  switch (schema['type']) {
    case 'string':
      return 'text'
    case 'number':
      return 'number'
    case 'integer':
      return 'integer'
    case 'boolean':
      return 'boolean'
    default:
      return 'json'
  }
}

function exampleOf(schema: Schema): string {
  if (schema['type'] === 'array') return '[]'
  return schema['type'] === 'object' ? '{}' : ''
}

function textOf(value: unknown, control: Control): string {
  return control !== 'json' && typeof value === 'string' ? value : JSON.stringify(value)
}

/** What the typed texts mean: arguments to send, or what is wrong at which field. */
export type Arguments =
  | { readonly ok: true; readonly value: Record<string, unknown> }
  | { readonly ok: false; readonly problems: Readonly<Record<string, Key>> }

/** Reads the texts. An empty optional field is left out; an empty required text is sent as it is. */
export function argumentsOf(fields: readonly SchemaField[], texts: FieldTexts): Arguments {
  const value: Record<string, unknown> = {}
  const problems: Record<string, Key> = {}
  for (const field of fields) {
    const text = texts[field.name] ?? field.initial
    if (text === '' && !(field.required && field.control === 'text')) {
      if (field.required) problems[field.name] = 'problemRequired'
      continue
    }
    const read = readText(field, text)
    if (read.ok) value[field.name] = read.value
    else problems[field.name] = read.problem
  }
  return Object.keys(problems).length === 0 ? { ok: true, value } : { ok: false, problems }
}

type Read = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: Key }

function readText(field: SchemaField, text: string): Read {
  switch (field.control) {
    case 'text':
      return { ok: true, value: text }
    case 'boolean':
      return { ok: true, value: text === 'true' }
    case 'number':
    case 'integer': {
      const number = Number(text)
      const right = Number.isFinite(number) && (field.control === 'number' || Number.isInteger(number))
      return right ? { ok: true, value: number } : { ok: false, problem: numberProblem(field) }
    }
    case 'choice': {
      const choice = field.choices.find((one) => one.text === text)
      return choice === undefined ? { ok: false, problem: 'problemRequired' } : { ok: true, value: choice.value }
    }
    default:
      return readJson(text)
  }
}

function numberProblem(field: SchemaField): Key {
  return field.control === 'integer' ? 'problemInteger' : 'problemNumber'
}

/** Reads a text as JSON. */
export function readJson(text: string): Read {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    return { ok: false, problem: 'problemJson' }
  }
}
