import { importHostPackage } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { readConfig } from '../../packages/manager/src/plugin-config.ts'
import { validateConfig } from '../../packages/server/src/config.ts'
import { snippetsFor } from './proofs.ts'
import { readDocument } from './read.ts'
import type { Snippet } from './read.ts'

/** Harnesses start with these rows in installation.test.ts and servers.test.ts; here their content is looked at. */
type Config = Readonly<Record<string, unknown>>

interface Row {
  readonly id: string
  readonly config: Config
}

/** The configuration of each plugin as its own code reads it, and what it cannot use. */
const readers: Readonly<Record<string, (config: Config) => { readonly value: Config; readonly problems: unknown }>> = {
  'mcp-manager'(config) {
    const { problems, ...value } = readConfig(config)
    return { value, problems }
  },
  'dsh-mcp-server'(config) {
    const read = validateConfig(config)
    return 'value' in read ? { value: { ...read.value }, problems: [] } : { value: {}, problems: read.issues }
  },
}

const { load } = await importHostPackage<{ load(text: string): unknown }>('js-yaml')

/** The rows of a snippet; the host computes what is behind `!!js`. */
const rowsOf = ({ text }: Snippet): readonly Row[] => load(text.replaceAll('!!js ', '')) as Row[]

const rows = snippetsFor('plugin rows').flatMap((snippet) => rowsOf(snippet).map((row) => ({ ...row, ...snippet })))

test.each(rows)('$document:$line names keys that $id knows, with values it takes', ({ id, config }) => {
  const read = readers[id]!(config)
  expect(read.problems).toEqual([])
  expect(Object.keys(config).filter((key) => !(key in read.value))).toEqual([])
})

test.each([
  ['packages/manager/README.md', 'mcp-manager', 'clientMetadataUrl'],
  ['packages/server/README.md', 'dsh-mcp-server', 'token'],
])('%s shows the defaults of %s, and names every other key', (document, id, alone) => {
  const { config } = rows.find((row) => row.document === document)!
  const { value: defaults } = readers[id]!({})
  // The directory is computed by the host, and no text is as good as an empty one.
  const shown = Object.entries(config).filter(([key]) => key !== 'endpointDirectory' && key !== 'instructions')
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(shown.map(([key]) => [key, defaults[key]])))
  expect([...Object.keys(config), alone].toSorted()).toEqual(Object.keys(defaults).toSorted())
  expect(readDocument(document)).toContain(`\`${alone}\` is the`)
})

describe('tables of keys', () => {
  /** `| `key` | default | meaning |` under a heading row that says Key and Default. */
  const lines = [
    ['docs/servers.md', 'mcp-manager'] as const,
    ['docs/delegation.md', 'dsh-mcp-server'] as const,
    ['docs/protocol.md', 'dsh-mcp-server'] as const,
  ].flatMap(([path, id]) => {
    const [, table = ''] = /^\| Key \| Default \|.*\n\|[-|]+\n((?:\|.*\n)+)/m.exec(readDocument(path)) ?? []
    return [...table.matchAll(/^\| `(\w+)` \| ([^|]*?) \|/gm)].map(([, key, said]) => ({
      path,
      id,
      key: key!,
      said: said!,
    }))
  })

  test('there are some in each document', () => {
    expect(new Set(lines.map(({ path }) => path)).size).toBe(3)
  })

  test.each(lines)('$path: $key is $said by default', ({ id, key, said }) => {
    const { value: defaults } = readers[id]!({})
    expect(Object.keys(defaults)).toContain(key)
    const [, value] = /^`?([^`:]+)/.exec(said) ?? []
    if (key === 'endpointDirectory') return expect(value).toBe('$DSH_HOME/mcp')
    const fallback = defaults[key]
    if (fallback === undefined) return expect(['none', 'generated']).toContain(value)
    expect(value).toBe(typeof fallback === 'string' ? fallback : JSON.stringify(fallback))
  })
})
