import type { OxlintConfig, OxlintOverride } from 'oxlint'
import { assembly, otherDoors, rooms } from './scripts/rooms.ts'

type Pattern = { readonly group: string[]; readonly message: string; readonly allowTypeImports?: boolean }

/** Path globs of what lies in a room, as a file up to three folders below its package's `src` names it. */
const within = (path: string): string[] => ['./', '../', '../../', '../../../'].map((way) => `${way}${path}`)

const hostPackages: Pattern = {
  group: ['@deepseek-ai/**'],
  message: 'A linked plugin cannot resolve the packages of the host: take a service from the context.',
  allowTypeImports: true,
}

const noNode: Pattern = { group: ['node:*'], message: 'This runs without Node too.' }

/** What a room may name of the others: the doors of those it knows, nothing of the rest. */
function bounds(room: string, known: readonly string[], unknown: readonly string[]): Pattern[] {
  const open = (paths: readonly string[]): string[] => paths.flatMap(within).map((path) => `!${path}`)
  const others = otherDoors[room] ?? []
  return [
    ...known.map((name) => ({
      group: [...within(`${name}/**`), ...open([`${name}/index.ts`, ...others])],
      message: `Enter the room "${name}" by its index.ts.`,
    })),
    ...unknown.map((name) => ({
      group: [...within(`${name}/**`), ...open(others)],
      message: `The room "${room}" does not know "${name}" (scripts/rooms.ts).`,
    })),
  ]
}

const restricted = (patterns: readonly Pattern[]): OxlintOverride['rules'] => ({
  'typescript/no-restricted-imports': ['error', { patterns: [...patterns] }],
})

/** Tests reach into what they test and use what other rooms keep for tests. */
const tests = ['**/*.test.ts', '**/*.test.tsx', '**/test-*.ts', '**/*.fixture.ts']

function overridesOf(pkg: keyof typeof rooms): OxlintOverride[] {
  const src = `packages/${pkg}/src`
  const all = Object.keys(rooms[pkg])
  const override = (files: string, patterns: readonly Pattern[]): OxlintOverride => ({
    files: [files],
    excludeFiles: tests,
    rules: restricted([hostPackages, ...patterns]),
  })
  return [
    override(`${src}/*.ts`, bounds('', all, [])),
    ...Object.entries(rooms[pkg]).map(([room, known]) => {
      const unknown = all.filter((name) => name !== room && !known.includes(name))
      const above = { group: assembly[pkg].flatMap(within), message: 'A room does not know what puts it together.' }
      const patterns = [above, ...bounds(room, known, unknown)]
      return override(`${src}/${room}/**`, room === 'client' ? [noNode, ...patterns] : patterns)
    }),
  ]
}

const config: OxlintConfig = {
  plugins: ['typescript', 'unicorn', 'import', 'promise', 'node'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  rules: {
    'no-await-in-loop': 'off',
    'no-shadow': 'off',
    'no-underscore-dangle': 'off',
    'no-empty': ['error', { allowEmptyCatch: false }],
    'no-console': 'off',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/consistent-type-imports': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/consistent-return': 'off',
    'typescript/require-array-sort-compare': 'off',
    'typescript/return-await': 'off',
    'typescript/unbound-method': 'off',
    'import/no-unassigned-import': 'off',
    'import/no-cycle': 'error',
    'promise/always-return': 'off',
    'promise/no-multiple-resolved': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-array-reverse': 'off',
    'unicorn/prefer-add-event-listener': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/require-post-message-target-origin': 'off',
    'preserve-caught-error': 'error',
  },
  overrides: [
    ...overridesOf('manager'),
    ...overridesOf('server'),
    { files: ['packages/host/src/**'], excludeFiles: tests, rules: restricted([hostPackages]) },
    {
      files: ['packages/sdk-protocol/src/**'],
      excludeFiles: [...tests, 'packages/sdk-protocol/src/streams.ts'],
      rules: restricted([hostPackages, noNode]),
    },
  ],
  ignorePatterns: ['**/lib/**', '**/node_modules/**', '.dsh/**'],
}

export default config
