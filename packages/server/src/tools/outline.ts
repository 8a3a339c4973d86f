/** A compact outline of JSON data for a model to read: nothing is said of null, empty lists and empty objects. */
export function outline(value: Readonly<Record<string, unknown>>): string {
  return members(value, '').join('\n')
}

/** The outline, or `words` where the list that was asked for is empty: an outline says nothing of it. */
export function outlineOf(list: readonly unknown[], words: string, value: Readonly<Record<string, unknown>>): string {
  return list.length === 0 ? words : outline(value)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return typeof value === 'object' && Object.values(value).every(isEmpty)
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isInline(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\n') && value.length <= 160
  if (Array.isArray(value)) return value.every((entry) => !isObject(entry) && !Array.isArray(entry) && isInline(entry))
  return !isObject(value)
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return value.map(inline).join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function members(value: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.entries(value)
    .filter(([, member]) => !isEmpty(member))
    .flatMap(([key, member]) => entry(`${indent}${key}:`, member, indent))
}

function entry(head: string, value: unknown, indent: string): string[] {
  const deeper = `${indent}  `
  if (isInline(value)) return [`${head} ${inline(value)}`]
  if (typeof value === 'string') return [head, ...value.split('\n').map((line) => deeper + line)]
  if (Array.isArray(value)) return [head, ...value.flatMap((each) => listEntry(each, deeper))]
  if (isObject(value)) {
    const pairs = Object.entries(value).filter(([, member]) => !isEmpty(member))
    if (pairs.every(([, member]) => isInline(member))) {
      return [`${head} ${pairs.map(([key, member]) => `${key}=${inline(member)}`).join(' ')}`]
    }
    return [head, ...members(value, deeper)]
  }
  return [head]
}

function listEntry(value: unknown, indent: string): string[] {
  if (!isObject(value)) return entry(`${indent}-`, value, indent)
  const pairs = Object.entries(value).filter(([, member]) => !isEmpty(member))
  const short = pairs.filter(([, member]) => isInline(member))
  const long = pairs.filter(([, member]) => !isInline(member))
  const head = `${indent}- ${short.map(([key, member]) => `${key}=${inline(member)}`).join(' ')}`.trimEnd()
  return [head, ...long.flatMap(([key, member]) => entry(`${indent}  ${key}:`, member, `${indent}  `))]
}
