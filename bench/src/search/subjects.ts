import { create, insertMultiple, search as searchOrama } from '@orama/orama'
import MiniSearch from 'minisearch'
import { SearchIndex } from '../../../packages/manager/src/broker/index.ts'
import type { SearchableTool, SearchWeights } from '../../../packages/manager/src/broker/index.ts'
import type { Subject } from './quality.ts'

/** Our search. */
export function ours(tools: readonly SearchableTool[], weights?: SearchWeights, aliases = true): Subject {
  const index = new SearchIndex(weights)
  index.change([], tools)
  return (query) => index.search({ query, aliases }).hits.map(({ tool }) => tool.tool)
}

/** The fields of a tool as the other engines get them: names with their words apart, parameters as text. */
interface FlatTool {
  readonly id: string
  readonly tool: string
  readonly name: string
  readonly server: string
  readonly description: string
  readonly parameters: string
}

const apart = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_\-.]+/g, ' ')

function flatten(tool: SearchableTool): FlatTool {
  const { properties = {} } = (tool.inputSchema ?? {}) as {
    properties?: Record<string, { description?: string }>
  }
  return {
    id: tool.name,
    tool: tool.tool,
    name: apart(tool.tool),
    server: apart(`${tool.server} ${tool.serverTitle ?? ''}`),
    description: tool.description ?? '',
    parameters: Object.entries(properties)
      .map(([name, property]) => `${apart(name)} ${property.description ?? ''}`)
      .join('\n'),
  }
}

type Field = 'name' | 'server' | 'description' | 'parameters'
type Boost = Readonly<Record<Field, number>>

const BOOSTS: readonly Boost[] = [
  { name: 1, server: 1, description: 1, parameters: 1 },
  { name: 3, server: 2, description: 1, parameters: 0.5 },
  { name: 4, server: 4, description: 2, parameters: 0.5 },
]
const FIELDS: readonly Field[] = ['name', 'server', 'description', 'parameters']

/** A named setting of one engine. */
export interface Candidate {
  readonly setting: string
  readonly subject: Subject
}

const plural = (term: string): string => term.toLowerCase().replace(/(?<=..)s$/, '')

/** MiniSearch with and without fuzziness, prefixes, field weights and a plural rule: the caller takes the best. */
export function miniSearchCandidates(tools: readonly SearchableTool[]): Candidate[] {
  return [undefined, plural].flatMap((processTerm) => {
    const index = new MiniSearch<FlatTool>({
      fields: [...FIELDS],
      storeFields: ['tool'],
      ...(processTerm === undefined ? {} : { processTerm }),
    })
    index.addAll(tools.map(flatten))
    return BOOSTS.flatMap((boost) =>
      [
        { fuzzy: false as const, prefix: false },
        { fuzzy: 0.2, prefix: false },
        { fuzzy: 0.2, prefix: true },
      ].map((options) => ({
        setting: JSON.stringify({ boost, ...options, plural: processTerm !== undefined }),
        subject: (query: string) => index.search(query, { boost, ...options }).map((hit) => String(hit['tool'])),
      })),
    )
  })
}

/** Orama with and without stemming, tolerance and field weights: the caller takes the best. */
export function oramaCandidates(tools: readonly SearchableTool[]): Candidate[] {
  return [false, true].flatMap((stemming) => {
    const index = create({
      schema: { tool: 'string', name: 'string', server: 'string', description: 'string', parameters: 'string' },
      components: { tokenizer: { language: 'english', stemming } },
    })
    void insertMultiple(index, tools.map(flatten))
    return BOOSTS.flatMap((boost) =>
      [0, 1].map((tolerance) => ({
        setting: JSON.stringify({ boost, tolerance, stemming }),
        subject: (query: string) => {
          const found = searchOrama(index, {
            term: query,
            properties: [...FIELDS],
            boost,
            tolerance,
            threshold: 1,
            limit: 10,
          })
          if (found instanceof Promise) throw new Error('Orama answered later than expected')
          return found.hits.map((hit) => hit.document.tool)
        },
      })),
    )
  })
}

const words = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(plural)

/** BM25 (k1 1.2, b 0.75) over one bag of words, each field as often as it weighs, plurals cut; no more. */
export function plainBm25(tools: readonly SearchableTool[]): Subject {
  const repeats: Readonly<Record<Field, number>> = { name: 3, server: 2, description: 1, parameters: 1 }
  const bags = tools.map((tool) => {
    const flat = flatten(tool)
    const bag = new Map<string, number>()
    for (const field of FIELDS)
      for (const word of words(flat[field])) bag.set(word, (bag.get(word) ?? 0) + repeats[field])
    return { tool: tool.tool, bag, length: [...bag.values()].reduce((sum, count) => sum + count, 0) }
  })
  const average = bags.reduce((sum, { length }) => sum + length, 0) / bags.length
  const containing = new Map<string, number>()
  for (const { bag } of bags) for (const word of bag.keys()) containing.set(word, (containing.get(word) ?? 0) + 1)
  return (query) => {
    const scored = bags.map(({ tool, bag, length }) => {
      let score = 0
      for (const word of words(query)) {
        const count = bag.get(word) ?? 0
        const documents = containing.get(word) ?? 0
        const rarity = Math.log(1 + (bags.length - documents + 0.5) / (documents + 0.5))
        score += (rarity * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average))
      }
      return { tool, score }
    })
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score)
      .map(({ tool }) => tool)
  }
}
