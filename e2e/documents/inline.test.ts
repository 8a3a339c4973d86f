import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import { snippetsFor } from './proofs.ts'
import { inlineCodeOf, originals } from './read.ts'
import { unjudged } from './unjudged.ts'

/** The list of tools is written from their schemas, which `npm run check` compares. */
const judged = originals.filter((path) => path !== 'docs/tools.md')
const excused = new Set(Object.values(unjudged).flatMap((group) => Object.keys(group)))

describe('inline code names what exists', () => {
  test.each(judged)('%s', (document) => {
    const problems = inlineCodeOf(document)
      .filter(({ text }) => !excused.has(text))
      .flatMap((code) => {
        const verdict = judge(code)
        if (verdict === 'right') return []
        const why = verdict?.wrong ?? 'found nowhere: correct it, or name it in unjudged.ts with the reason'
        return [`${document}:${code.line} ${code.text}: ${why}`]
      })
    expect(problems).toEqual([])
  })
})

test('every excuse is needed', () => {
  const used = new Set(judged.flatMap(inlineCodeOf).map(({ text }) => text))
  expect([...excused].filter((text) => !used.has(text))).toEqual([])
})

test('commands that are not run here are commands all the same', () => {
  for (const snippet of snippetsFor('the commands of the repository')) expect(judge(snippet)).toBe('right')
})

test.each([
  ['README.md', 'npm run deploy'],
  ['README.md', 'npm start -- --prot 3100'],
  ['CONTRIBUTING.md', 'npm test -- e2e/nowhere'],
  ['CONTRIBUTING.md', 'npm run bench -- nothing'],
  ['packages/server/README.md', 'dsh-mcp-stdio --token'],
  ['packages/server/README.md', 'dsh plugin --profile web install @dsh-mcp/server'],
  ['packages/server/README.md', 'dsh_stop_session'],
  ['packages/server/README.md', 'allowRoots'],
  ['packages/server/README.md', '$DSH_HOME/dsh-mcp-endpoint.json'],
  ['packages/manager/README.md', 'DSH_MCP_TOKEN'],
  ['packages/manager/README.md', 'mcp_find_tools'],
  ['packages/manager/README.md', 'the program is missing …'],
  ['docs/servers.md', 'docs/server.md'],
])('%s: `%s` would be caught', (document, text) => {
  expect(judge({ document, line: 0, text })).not.toBe('right')
})
