import { isRecord, isScalar, type RawNode, type SubsetSchema } from './subset.ts'

/** The longest description of one parameter, in UTF-16 units. */
const maxDescription = 4000
const maxNotes = 1200
const maxPhrase = 200

/** Cuts text at a character boundary and makes lone surrogates visible. */
export function clip(text: string, limit: number): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  if (whole.length <= limit) return whole
  const end = limit - 1
  const code = whole.charCodeAt(end - 1)
  return `${whole.slice(0, code >= 0xd800 && code < 0xdc00 ? end - 1 : end)}…`
}

function json(value: unknown): string {
  try {
    return clip(JSON.stringify(value) ?? 'undefined', maxPhrase)
  } catch {
    return '…' // nested too deep for JSON.stringify
  }
}

/** A description followed by what the schema language cannot say, in parentheses. */
export function describe(description: unknown, notes: readonly string[]): string | undefined {
  const text = typeof description === 'string' ? description : ''
  if (notes.length === 0) return text === '' ? undefined : clip(text, maxDescription)
  const unsaid = notes.filter((note) => !text.includes(note))
  if (unsaid.length === 0) return clip(text, maxDescription)
  const tail = `(${clip(unsaid.join('; '), maxNotes)})`
  return text === '' ? tail : `${clip(text, maxDescription - tail.length - 1)} ${tail}`
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function range(node: RawNode, low: string, high: string, unit: string): string | undefined {
  const min = isCount(node[low]) && node[low] > 0 ? node[low] : undefined
  const max = isCount(node[high]) ? node[high] : undefined
  if (min === undefined && max === undefined) return undefined
  if (min === max) return `exactly ${min} ${unit}`
  if (max === undefined) return `at least ${min} ${unit}`
  return min === undefined ? `at most ${max} ${unit}` : `${min} to ${max} ${unit}`
}

function bound(
  node: RawNode,
  limit: string,
  exclusive: string,
  inclusiveWord: string,
  exclusiveWord: string,
): string[] {
  const notes: string[] = []
  // draft 4 says exclusiveMinimum: true beside minimum; later drafts give the number itself
  if (isCount(node[limit])) notes.push(`${node[exclusive] === true ? exclusiveWord : inclusiveWord} ${node[limit]}`)
  if (isCount(node[exclusive])) notes.push(`${exclusiveWord} ${node[exclusive]}`)
  return notes
}

type Said = (node: RawNode, key: string) => string | undefined | readonly string[]

const length: Said = (node) => range(node, 'minLength', 'maxLength', 'characters')
const items: Said = (node) => range(node, 'minItems', 'maxItems', 'items')
const keys: Said = (node) => range(node, 'minProperties', 'maxProperties', 'keys')
const low: Said = (node) => bound(node, 'minimum', 'exclusiveMinimum', 'minimum', 'greater than')
const high: Said = (node) => bound(node, 'maximum', 'exclusiveMaximum', 'maximum', 'less than')
const text =
  (words: string): Said =>
  (node, key) =>
    typeof node[key] === 'string' ? `${words} ${clip(node[key], maxPhrase)}` : undefined
const flag =
  (words: string): Said =>
  (node, key) =>
    node[key] === true ? words : undefined
const whole =
  (words: string): Said =>
  (node, key) =>
    isRecord(node[key]) || typeof node[key] === 'boolean' ? `${words} ${json(node[key])}` : undefined

/** How each keyword outside the subset is told. A keyword without an entry is an annotation nobody needs. */
const said: ReadonlyMap<string, Said> = new Map<string, Said>([
  ['minimum', low],
  ['exclusiveMinimum', (node, key) => (node['minimum'] === undefined ? low(node, key) : undefined)],
  ['maximum', high],
  ['exclusiveMaximum', (node, key) => (node['maximum'] === undefined ? high(node, key) : undefined)],
  ['multipleOf', (node) => (isCount(node['multipleOf']) ? `multiple of ${node['multipleOf']}` : undefined)],
  ['minLength', length],
  ['maxLength', (node, key) => (node['minLength'] === undefined ? length(node, key) : undefined)],
  ['pattern', text('pattern')],
  ['format', text('format')],
  ['contentEncoding', text('encoded as')],
  ['contentMediaType', text('content type')],
  ['minItems', items],
  ['maxItems', (node, key) => (node['minItems'] === undefined ? items(node, key) : undefined)],
  ['uniqueItems', flag('no duplicates')],
  ['contains', whole('contains an item like')],
  ['minProperties', keys],
  ['maxProperties', (node, key) => (node['minProperties'] === undefined ? keys(node, key) : undefined)],
  ['propertyNames', whole('key names:')],
  ['dependentRequired', (node) => dependencies(node['dependentRequired'])],
  ['dependencies', (node) => dependencies(node['dependencies'])],
  ['dependentSchemas', whole('dependent keys:')],
  ['not', whole('not')],
  ['then', (node) => ('if' in node ? `if ${json(node['if'])} then ${json(node['then'])}` : undefined)],
  ['else', (node) => ('if' in node ? `if not ${json(node['if'])} then ${json(node['else'])}` : undefined)],
  ['example', (node) => (node['example'] === undefined ? undefined : `example ${json(node['example'])}`)],
  // drafts before 4 put it inside the property
  ['required', flag('required')],
  ['deprecated', flag('deprecated')],
  ['readOnly', flag('read-only')],
])

function dependencies(value: unknown): string[] {
  if (!isRecord(value)) return []
  return Object.entries(value).map(([key, needs]) =>
    Array.isArray(needs) ? `${key} needs ${needs.map(String).join(', ')}` : `with ${key}: ${json(needs)}`,
  )
}

/** What the keywords of one node mean that the subset has no keyword for. Unknown keywords say nothing. */
export function constraintNotes(node: RawNode, notes: string[]): void {
  for (const key in node) {
    const words = said.get(key)?.(node, key)
    if (typeof words === 'string') notes.push(words)
    else if (words !== undefined) notes.push(...words)
  }
}

/** A few words for one alternative of a union. */
export function phrase(schema: SubsetSchema): string {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  const said = schema.description ?? schema.title
  const shape = values?.map((value) => JSON.stringify(value)).join(' | ') ?? shapeOf(schema)
  return clip(said === undefined ? shape : `${shape}: ${said}`, maxPhrase)
}

function shapeOf(schema: SubsetSchema): string {
  if (schema.oneOf !== undefined) return schema.oneOf.slice(0, 12).map(shapeOf).join(' or ')
  if (schema.type === 'array') return schema.items === undefined ? 'array' : `array of ${shapeOf(schema.items)}`
  if (schema.type !== 'object') return schema.type ?? 'any value'
  const names = Object.keys(schema.properties ?? {})
  const required = new Set(schema.required)
  const shown = names.slice(0, 12).map((name) => (required.has(name) ? name : `${name}?`))
  if (names.length > shown.length) shown.push('…')
  return shown.length === 0 ? 'object' : `{${shown.join(', ')}}`
}

/** Values an `enum` or `const` allows that are not scalars, in words. */
export const valueNote = (values: readonly unknown[]): string =>
  `one of ${clip(values.map(json).join(' | '), maxNotes)}`

export const isPlainValueList = (value: unknown): value is unknown[] => Array.isArray(value) && value.every(isScalar)
