import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { en } from '../../packages/manager/src/client/locales/en.ts'

const folder = join(repositoryRoot, 'packages', 'manager', 'src', 'client')

/** The sources of the browser half, without its dictionaries and tests. */
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.tsx?$/.test(path) && !/^locales\b|\.test\.tsx?$/.test(path))
  .map((path) => readFileSync(join(folder, path), 'utf8'))
  .join('\n')

const names = new Set([...sources.matchAll(/'(\w+)'/g)].map(([, name]) => name))

test('every text of the dictionaries is named by the page', () => {
  // The singular of a count is named by its plural: `countText` of server-row.ts.
  const isNamed = (key: string): boolean => names.has(key) || (key.endsWith('One') && names.has(key.slice(0, -3)))
  expect(Object.keys(en).filter((key) => !isNamed(key))).toEqual([])
})

test('every class of the style sheet is used, and every class that is used has a rule', () => {
  const sheet = readFileSync(join(folder, 'styles', 'page.css'), 'utf8')
  const ruled = new Set([...sheet.matchAll(/\.(mcp-[a-z][a-z-]*)/g)].map(([, name]) => name!))
  const quoted = [...sources.matchAll(/className=(?:"([^"]+)"|\{([^}]+)\})/g)].flatMap(([, text, code]) =>
    [...(text ?? code ?? '').matchAll(/mcp-[a-z][a-z-]*/g)].map(([name]) => name),
  )
  expect([...ruled].filter((name) => !quoted.includes(name))).toEqual([])
  expect([...new Set(quoted)].filter((name) => !ruled.has(name))).toEqual([])
})
