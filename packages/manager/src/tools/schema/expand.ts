import { isType } from './declared-types.ts'
import { mergeSchemas } from './merge.ts'
import { clip } from './notes.ts'
import { referenceResolver } from './references.ts'
import { isRecord, type RawNode } from './subset.ts'

/** Schemas nested deeper than this, and more nodes than this, are cut to "any value" and told. */
export const maxDepth = 256
export const maxNodes = 20_000

/** One walk through a schema. */
export interface Walk {
  readonly resolve: (reference: string) => unknown
  /** Nodes being expanded, outermost first: an entry seen again is a cycle. */
  readonly open: unknown[]
  depth: number
  nodes: number
}

export const startWalk = (root: RawNode): Walk => ({
  resolve: referenceResolver(root),
  open: [root],
  depth: 0,
  nodes: 0,
})

/**
 * Replaces references and `allOf` by the keywords they stand for, and lists the reference targets it went through. A
 * reference to a node that is being expanded is a cycle: cut, and told.
 */
export function expand(
  raw: RawNode,
  walk: Walk,
  notes: string[],
  chain: readonly unknown[],
  targets: unknown[],
): RawNode {
  if (chain.length > maxDepth || walk.nodes > maxNodes) return {}
  walk.nodes++
  let node = raw
  for (const keyword of ['$ref', '$dynamicRef']) {
    const reference = raw[keyword]
    if (typeof reference !== 'string') continue
    const { [keyword]: _, ...rest } = node
    const target = walk.resolve(reference)
    if (!isRecord(target)) {
      if (target !== true) notes.push(`see ${clip(reference, 200)}`)
      node = rest
    } else if (walk.open.includes(target) || chain.includes(target)) {
      notes.push(`recursive, same as ${clip(reference, 100)}`)
      node = isType(target['type']) && rest['type'] === undefined ? { ...rest, type: target['type'] } : rest
    } else {
      targets.push(target)
      node = mergeSchemas(expand(target, walk, notes, [...chain, target], targets), rest)
    }
  }
  const parts = node['allOf']
  if (!Array.isArray(parts)) return node
  const { allOf: _, ...rest } = node
  return parts
    .filter(isRecord)
    .reduce<RawNode>((whole, part) => mergeSchemas(whole, expand(part, walk, notes, [...chain, part], targets)), rest)
}
