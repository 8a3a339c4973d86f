import { isRecord, type RawNode } from './subset.ts'

/** Named sub-schemas of one document: `$anchor`, `$dynamicAnchor` and `$id` values found under `$defs` and `definitions`. */
type Names = ReadonlyMap<string, RawNode>

function collectNames(root: RawNode): Names {
  const names = new Map<string, RawNode>()
  for (const key of ['$defs', 'definitions']) {
    const definitions = root[key]
    if (!isRecord(definitions)) continue
    for (const node of Object.values(definitions)) {
      if (!isRecord(node)) continue
      for (const id of ['$anchor', '$dynamicAnchor']) {
        if (typeof node[id] === 'string') names.set(`#${node[id]}`, node)
      }
      for (const id of ['$id', 'id']) if (typeof node[id] === 'string') names.set(node[id], node)
    }
  }
  return names
}

function decode(token: string): string {
  let text = token
  try {
    text = decodeURIComponent(token)
  } catch {
    // not percent-encoded: the token stands as written
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

/** The value a JSON Pointer (RFC 6901, fragment form) names inside `root`, `undefined` where it leads nowhere. */
function followPointer(root: unknown, fragment: string): unknown {
  let value = root
  for (const token of fragment.split('/').slice(1).map(decode)) {
    if (Array.isArray(value)) value = /^\d+$/.test(token) ? value[Number(token)] : undefined
    else if (isRecord(value) && Object.hasOwn(value, token)) value = value[token]
    else return undefined
  }
  return value
}

/**
 * Resolves references inside one schema document (JSON Schema 2020-12 §8.2.3): JSON Pointers, anchors, and `$id`s of its
 * own definitions. Nothing is ever fetched: a reference to another document resolves to `undefined`.
 */
export function referenceResolver(root: RawNode): (reference: string) => unknown {
  let names: Names | undefined
  return (reference) => {
    if (reference === '#' || reference === root['$id']) return root
    if (reference.startsWith('#/')) return followPointer(root, reference.slice(1))
    names ??= collectNames(root)
    const named = names.get(reference)
    if (named !== undefined) return named
    const at = reference.indexOf('#')
    if (at < 0) return undefined
    const base = reference.slice(0, at)
    const document = base === root['$id'] ? root : names.get(base)
    return document === undefined ? undefined : followPointer(document, reference.slice(at + 1))
  }
}
