import MiniSearch from 'minisearch'
import { SearchIndex } from '../../../packages/manager/src/broker/index.ts'
import type { SearchableTool } from '../../../packages/manager/src/broker/index.ts'
import { median } from '../../harness/index.ts'
import { DATA, readCatalogue, readTasks } from './data.ts'

const TOOLS = 10_000

interface Engine {
  change(remove: readonly string[], add: readonly SearchableTool[]): void
  search(query: string): void
}

function miniSearch(): Engine {
  const index = new MiniSearch<SearchableTool>({
    idField: 'name',
    fields: ['tool', 'server', 'description', 'inputSchema'],
    extractField: (tool, field) => {
      const value: unknown = Reflect.get(tool, field)
      return typeof value === 'string' ? value : JSON.stringify(value ?? '')
    },
  })
  return {
    change(remove, add) {
      index.discardAll(remove)
      index.addAll(add)
    },
    search: (query) => void index.search(query, { fuzzy: 0.2 }),
  }
}

function ours(): Engine {
  const index = new SearchIndex()
  return {
    change: (remove, add) => index.change(remove, add),
    search: (query) => void index.search({ query }),
  }
}

/** The catalogue again and again, each time with other names and one more word, until there are enough tools. */
function enlarge(tools: readonly SearchableTool[]): SearchableTool[] {
  return Array.from({ length: TOOLS }, (_, at) => {
    const tool = tools[at % tools.length]!
    const round = Math.floor(at / tools.length)
    const server = `${tool.server}-${round}`
    return {
      ...tool,
      name: `mcp__${server}__${tool.tool}`,
      server,
      description: `${tool.description ?? ''}\nVariant ${(at * 7919) % 5000} for tenant${round}.`,
    }
  })
}

const timed = (work: () => void): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

const tools = enlarge(await readCatalogue(DATA.catalogue))
const tasks = [...(await readTasks(DATA.queries)), ...(await readTasks(DATA.chinese))]
const queries = tasks.flatMap(({ question, steps }) => (question === undefined ? steps : [question, ...steps]))

const make = process.argv[2] === 'minisearch' ? miniSearch : ours
globalThis.gc?.()
const before = process.memoryUsage().heapUsed
const engine = make()
const builds = [timed(() => engine.change([], tools))]
globalThis.gc?.()
const memoryMiB = (process.memoryUsage().heapUsed - before) / 2 ** 20
for (let round = 0; round < 2; round++) {
  const again = make()
  builds.push(timed(() => again.change([], tools)))
}

const servers = Map.groupBy(tools, ({ server }) => server)
const changes = [...servers.values()].slice(0, 25).map((own) => {
  const next = own.map((tool) => ({ ...tool, description: `${tool.description} Changed.` }))
  return timed(() =>
    engine.change(
      own.map(({ name }) => name),
      next,
    ),
  )
})

for (const query of queries) engine.search(query)
const times = queries.map((query) => timed(() => engine.search(query))).toSorted((a, b) => a - b)

console.log(
  JSON.stringify({
    buildMs: median(builds),
    changeMs: median(changes),
    queryP95Ms: times[Math.floor(times.length * 0.95)],
    memoryMiB,
  }),
)
