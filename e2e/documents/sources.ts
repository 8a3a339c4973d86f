import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout, trackedFiles } from './read.ts'

/** Code without its comments, which could name anything. Strings stay. */
function withoutComments(code: string): string {
  return code.replaceAll(/^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*$|\* .*$)/gm, '')
}

const isTest = /\.(test|program|script)\.|\/test-|\/fixture\//
/** Here stand names that were made up, to show that they would be caught. */
const isOurs = /^e2e\/documents\//
const isCode = /\.(ts|tsx|mjs|yml)$|package\.json$/

/** The code below some folders as one text. */
function codeBelow(folders: readonly string[], withTests: boolean): string {
  return trackedFiles
    .filter((path) => folders.some((folder) => path.startsWith(folder)) && isCode.test(path) && !isOurs.test(path))
    .filter((path) => withTests || !isTest.test(path))
    .map((path) => withoutComments(readFileSync(join(checkout, path), 'utf8')))
    .join('\n')
}

const folders = {
  manager: ['packages/manager/', 'packages/host/src/'],
  server: ['packages/server/', 'packages/host/src/'],
  library: ['packages/sdk-protocol/'],
  product: ['packages/manager/', 'packages/server/', 'packages/sdk-protocol/', 'packages/host/src/', 'scripts/'],
  everything: ['packages/', 'e2e/', 'bench/', 'scripts/'],
} as const

const roomOf: Readonly<Record<string, keyof typeof folders>> = {
  'packages/manager/README.md': 'manager',
  'docs/broker.md': 'manager',
  'docs/manager-api.md': 'manager',
  'docs/oauth.md': 'manager',
  'docs/servers.md': 'manager',
  'docs/workspaces.md': 'manager',
  'packages/server/README.md': 'server',
  'docs/delegation.md': 'server',
  'docs/protocol.md': 'server',
  'packages/sdk-protocol/README.md': 'library',
  'README.md': 'product',
  'SECURITY.md': 'product',
}

const texts = new Map<string, string>()

/** The code a document speaks of: of its package, of what is shipped, or, for those who change it, all with its tests. */
export function codeFor(document: string): string {
  const room = roomOf[document] ?? 'everything'
  const text = texts.get(room) ?? codeBelow(folders[room], room === 'everything')
  texts.set(room, text)
  return text
}

/** Whether a word stands in the code by itself, not as a part of another one. */
export function hasWord(code: string, word: string): boolean {
  const escaped = word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`(?<![\\w$-])${escaped}(?![\\w-])`).test(code)
}
