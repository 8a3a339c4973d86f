import { originals, snippetsOf } from './read.ts'
import type { Snippet } from './read.ts'

interface Claim {
  readonly document: string
  readonly info: string
  /** Only snippets that match; all of the kind when it is missing. */
  readonly text?: RegExp
}

interface Proof {
  /** The test that takes its snippets from here, by {@link snippetsFor}, and tries them. */
  readonly test: string
  readonly claims: readonly Claim[]
  /** Why this proof does less than run what it is given. */
  readonly because?: string
}

const ofBothPlugins = ['packages/manager/README.md', 'packages/server/README.md']

/**
 * How each snippet of the English documents is proven. One that nobody claims fails `registry.test.ts`, and so does a
 * claim that finds nothing. The Chinese twins show the same snippets, see `twins.test.ts`.
 */
export const proofs = {
  'npm start': {
    test: 'e2e/start.test.ts',
    claims: [{ document: 'README.md', info: 'sh', text: /^npm start/ }],
  },
  'the commands of the repository': {
    test: 'e2e/documents/inline.test.ts',
    claims: [{ document: 'README.md', info: 'sh', text: /^npm test/ }],
    because:
      'a test that runs all tests would run itself; it is what .ci/run runs. Looked up: the script and its options',
  },
  'an installation': {
    test: 'e2e/documents/installation.test.ts',
    claims: [...ofBothPlugins, 'packages/sdk-protocol/README.md'].map((document) => ({
      document,
      info: 'sh',
      text: /^(npm|cd|dsh) /,
    })),
  },
  'MCP clients': {
    test: 'e2e/documents/installation.test.ts',
    claims: [
      { document: 'packages/server/README.md', info: 'sh', text: /^\w+ mcp add / },
      { document: 'packages/server/README.md', info: 'json' },
    ],
  },
  'plugin rows': {
    test: 'e2e/documents/rows.test.ts',
    claims: [...ofBothPlugins, 'docs/servers.md', 'docs/oauth.md'].map((document) => ({ document, info: 'yaml' })),
  },
  servers: {
    test: 'e2e/documents/servers.test.ts',
    claims: ['docs/servers.md', 'docs/workspaces.md', 'docs/oauth.md'].map((document) => ({ document, info: 'json' })),
  },
  'the log of a login': {
    test: 'e2e/documents/servers.test.ts',
    claims: [{ document: 'docs/oauth.md', info: 'text' }],
  },
  'the wire of the server': {
    test: 'e2e/documents/wire.test.ts',
    claims: [
      { document: 'docs/protocol.md', info: 'json' },
      { document: 'docs/protocol.md', info: 'http' },
      { document: 'docs/tools.md', info: 'json' },
    ],
  },
  'the API of the manager': {
    test: 'e2e/manager/api-document.test.ts',
    claims: [
      { document: 'docs/manager-api.md', info: 'http' },
      { document: 'docs/manager-api.md', info: 'json' },
    ],
  },
  'programs on the protocol library': {
    test: 'e2e/sdk-protocol/readme.test.ts',
    claims: [
      { document: 'packages/sdk-protocol/README.md', info: 'ts' },
      { document: 'packages/sdk-protocol/README.md', info: 'text' },
    ],
  },
  'what a run printed': {
    test: 'e2e/faults/page.test.ts',
    claims: [{ document: 'docs/reliability.md', info: '' }],
    because: 'it is the output of a run that takes an hour. Looked up: it lists what the table counts',
  },
  drawings: {
    test: 'e2e/documents/drawings.test.ts',
    claims: [{ document: 'docs/architecture.md', info: 'text' }],
    because: 'a drawing does nothing. Looked up: the folders and rooms it names',
  },
} satisfies Readonly<Record<string, Proof>>

export type ProofName = keyof typeof proofs

export function claims(claim: Claim, { document, info, text }: Snippet): boolean {
  return claim.document === document && claim.info === info && (claim.text?.test(text) ?? true)
}

/** Every snippet of the English documents. */
export const allSnippets: readonly Snippet[] = originals.flatMap(snippetsOf)

/** The snippets that a proof has to try. */
export function snippetsFor(name: ProofName, document?: string): readonly Snippet[] {
  const proof: Proof = proofs[name]
  return allSnippets.filter(
    (snippet) =>
      (document === undefined || snippet.document === document) && proof.claims.some((claim) => claims(claim, snippet)),
  )
}
