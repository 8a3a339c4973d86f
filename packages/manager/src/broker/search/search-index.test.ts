import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchableTool } from './documents.ts'
import { SearchIndex } from './search-index.ts'
import type { SearchRequest } from './search-index.ts'

function tool(server: string, name: string, description = '', more: Partial<SearchableTool> = {}): SearchableTool {
  return { name: `mcp__${server}__${name}`, server, tool: name, description, ...more }
}

const CATALOGUE = [
  tool('mail', 'send_message', 'Send an email to one or more people'),
  tool('mail', 'list_messages', 'List the messages of a folder', {
    inputSchema: { type: 'object', properties: { unreadOnly: { type: 'boolean', description: 'Skip what was seen' } } },
  }),
  tool('weather', 'get_forecast', 'Weather forecast of a city for some days'),
  tool('weather', 'get_alerts', 'Active alerts. Storms and floods.'),
  tool('docs', 'convert_to_pdf', 'Convert a Word document to PDF'),
  tool('docs', 'read_document', 'Read the text of a document'),
  tool('docker', 'getContainerLogs', 'Latest output of a container'),
  tool('mind', 'convert_markdown', 'Turn an outline into a mindmap'),
  tool('rail', 'get-tickets', '查询12306余票信息。'),
  tool('files', 'write_file', 'Create a file or replace what it holds'),
  tool('store', 'write_file', 'Write a file into the store', { serverTitle: 'Cloud Store' }),
]

function indexOf(tools: readonly SearchableTool[]): SearchIndex {
  const index = new SearchIndex()
  index.change([], tools)
  return index
}

const catalogue = indexOf(CATALOGUE)
const found = (query: string, more: Omit<SearchRequest, 'query'> = {}) =>
  catalogue.search({ query, ...more }).hits.map(({ tool }) => `${tool.server}.${tool.tool}`)

describe('SearchIndex.search', () => {
  it.each([
    ['send an email', 'mail.send_message'],
    ['is it going to rain? show me the forecasts', 'weather.get_forecast'],
    ['container log', 'docker.getContainerLogs'],
    ['mind map', 'mind.convert_markdown'],
    ['flood', 'weather.get_alerts'],
    ['unread only', 'mail.list_messages'],
    ['发邮件', 'mail.send_message'],
    ['帮我查一下天气预报', 'weather.get_forecast'],
    ['把 Word 转成 PDF', 'docs.convert_to_pdf'],
    ['看看容器的日志', 'docker.getContainerLogs'],
    ['train ticket', 'rail.get-tickets'],
    ['余票', 'rail.get-tickets'],
    ['put it into ./out/rome.md', 'files.write_file'],
  ])('%s finds %s first', (query, first) => expect(found(query)[0]).toBe(first))

  it.each(['wether forcast', 'weathre', 'forrecast'])('forgives the typo in %j', (query) =>
    expect(found(query)[0]).toBe('weather.get_forecast'),
  )

  it('looks for typos only of words it does not know', () =>
    expect(indexOf([tool('a', 'from'), tool('a', 'form')]).search({ query: 'form' }).total).toBe(1))

  it('finds nothing for marks alone, or for words nothing answers to', () => {
    expect(found('?! ,.')).toEqual([])
    expect(found('xylophone')).toEqual([])
  })

  it('lists the catalogue by server and tool without a query', () => {
    const { total, hits } = catalogue.search({ limit: 3 })
    expect(total).toBe(CATALOGUE.length)
    expect(hits.map(({ tool, score }) => [tool.name, score])).toEqual([
      ['mcp__docker__getContainerLogs', 0],
      ['mcp__docs__convert_to_pdf', 0],
      ['mcp__docs__read_document', 0],
    ])
  })

  it('counts all hits, returns the first, in falling whole scores', () => {
    const { total, hits } = catalogue.search({ query: 'write document', limit: 2 })
    expect(total).toBeGreaterThan(2)
    expect(hits).toHaveLength(2)
    expect(hits[0]!.score).toBeGreaterThanOrEqual(hits[1]!.score)
    expect(hits.every(({ score }) => Number.isInteger(score) && score > 0)).toBe(true)
  })

  it('finds only among the tools it is given', () => {
    const { total, hits } = catalogue.search({ query: 'document', among: ({ tool }) => tool === 'read_document' })
    expect([total, hits.map(({ tool }) => tool.tool)]).toEqual([1, ['read_document']])
  })

  it('does not take a Chinese word for rare where only some tools are described in Chinese', () => {
    const mixed = indexOf([
      tool('rail', 'get-tickets', '查询余票'),
      ...['papers', 'books', 'songs', 'maps', 'users'].map((name) =>
        tool('library', `search_${name}`, `Search ${name}`),
      ),
    ])
    const [first, second] = mixed.search({ query: '查询论文' }).hits
    expect(first?.tool.tool).toBe('search_papers')
    expect(first!.score).toBeGreaterThan(2 * second!.score)
  })

  it('does not use aliases when told so', () => expect(found('发邮件', { aliases: false })).toEqual([]))
})

describe('exact names', () => {
  it.each([
    ['write_file', ['files.write_file', 'store.write_file']],
    ['store.write_file', ['store.write_file']],
    ['STORE/write-file', ['store.write_file']],
    ['mcp__store__write_file', ['store.write_file']],
    ['getContainerLogs', ['docker.getContainerLogs']],
  ])('%s comes first', (query, first) =>
    expect(found(query).slice(0, first.length).toSorted()).toEqual(first.toSorted()),
  )

  it.each([
    ['docs', 'docs'],
    ['Cloud Store', 'store'],
    ['WEATHER', 'weather'],
  ])('the tools of server %s come first', (query, server) => {
    const own = CATALOGUE.filter((tool) => tool.server === server).length
    expect(
      new Set(
        found(query)
          .slice(0, own)
          .map((name) => name.split('.')[0]),
      ),
    ).toEqual(new Set([server]))
  })

  it('puts any tool first that is asked for by name or by server and name', () => {
    const word = fc.stringMatching(/^[a-z]{1,8}(?:[_-][a-z0-9]{1,8}){0,3}$/)
    const tools = fc.uniqueArray(fc.record({ server: word, tool: word, description: fc.lorem({ maxCount: 30 }) }), {
      minLength: 1,
      maxLength: 30,
      selector: ({ server, tool }) => `${server} ${tool}`.replaceAll(/[_-]/g, ' '),
    })
    fc.assert(
      fc.property(tools, (drawn) => {
        const all = drawn.map(({ server, tool: name, description }) => tool(server, name, description))
        const index = indexOf(all)
        for (const { server, tool } of all) {
          expect(index.search({ query: tool }).hits[0]?.tool.tool.replaceAll('-', '_')).toBe(tool.replaceAll('-', '_'))
          const [first] = index.search({ query: `${server}.${tool}` }).hits
          expect(`${first?.tool.server} ${first?.tool.tool}`.replaceAll(/[_-]/g, ' ')).toBe(
            `${server} ${tool}`.replaceAll(/[_-]/g, ' '),
          )
        }
      }),
      { numRuns: 50 },
    )
  })
})

describe('SearchIndex.change', () => {
  it('answers as an index built at once, whatever came and went before', () => {
    const names = fc.uniqueArray(fc.integer({ min: 0, max: CATALOGUE.length - 1 }), { maxLength: CATALOGUE.length })
    const steps = fc.array(fc.record({ remove: names, add: names }), { maxLength: 12 })
    const queries = ['document', 'write a file', '天气', 'wether', 'mail', 'container logs of docker']
    fc.assert(
      fc.property(steps, (changes) => {
        const index = new SearchIndex()
        const kept = new Map<string, SearchableTool>()
        for (const { remove, add } of changes) {
          const gone = remove.map((at) => CATALOGUE[at]!.name)
          const come = add.map((at) => CATALOGUE[at]!)
          index.change(gone, come)
          for (const name of gone) kept.delete(name)
          for (const tool of come) kept.set(tool.name, tool)
        }
        const fresh = indexOf([...kept.values()])
        expect(index.size).toBe(kept.size)
        for (const query of [undefined, ...queries]) expect(index.search({ query })).toEqual(fresh.search({ query }))
      }),
    )
  })

  it('keeps working after many replacements', () => {
    const index = indexOf(CATALOGUE)
    for (let round = 0; round < 40; round++)
      index.change([], [tool('mail', 'send_message', `Send an email, wording ${round}`)])
    expect(index.size).toBe(CATALOGUE.length)
    expect(index.search({ query: 'wording 39' }).hits[0]?.tool.tool).toBe('send_message')
    expect(index.search({ query: 'wording' }).total).toBe(1)
  })
})
