import { describe, expect, test } from 'vitest'
import type { HttpServer, StdioServer } from '../config/index.ts'
import { consentSubject } from './consent.ts'

const common = { id: 'ws-1', name: 'x', source: { kind: 'workspace', path: '/w' }, enabled: true, raw: {} } as const
const stdio: StdioServer = {
  ...common,
  type: 'stdio',
  command: 'npx',
  args: ['-y', 'a b'],
  env: { KEY: 'v' },
  cwd: '/w',
}
const http: HttpServer = {
  ...common,
  type: 'http',
  url: 'https://e.example/',
  headers: {},
  headerEnv: {},
  authMode: 'none',
}

describe('commands', () => {
  test('are asked for only when the option is on', () => {
    expect(consentSubject(stdio, {}, false)).toBeUndefined()
    expect(consentSubject(stdio, {}, true)).toMatchObject({ kind: 'command', text: 'npx -y "a b" (environment: KEY)' })
  })

  test.each<Partial<StdioServer>>([
    { command: 'npm' },
    { args: ['-y', 'a', 'b'] },
    { args: ['-y', 'a b', ''] },
    { env: { KEY: 'v', OTHER: '1' } },
    { env: { KEY: 'w' } },
    { cwd: '/elsewhere' },
  ])('any change is a new question: %j', (change) => {
    const before = consentSubject(stdio, {}, true)!.hash
    expect(consentSubject({ ...stdio, ...change }, {}, true)!.hash).not.toBe(before)
  })

  test('the order of the environment is not', () => {
    const hashOf = (env: Record<string, string>) => consentSubject({ ...stdio, env }, {}, true)!.hash
    expect(hashOf({ A: '1', B: '2' })).toBe(hashOf({ B: '2', A: '1' }))
  })
})

describe('references to the environment', () => {
  test.each([
    [{ url: 'https://e.example/${TOKEN}' }, 'https://e.example/${TOKEN}'],
    [{ headers: { 'X-Key': 'k ${TOKEN}', Accept: 'x' } }, 'https://e.example/ (headers: X-Key)'],
    [{ url: 'http://127.0.0.1${HOST_TAIL}/' }, 'http://127.0.0.1${HOST_TAIL}/'],
  ])('toward a remote address need a person: %j', (change, text) => {
    const environment = { TOKEN: 'secret', HOST_TAIL: '.evil.example' }
    const subject = consentSubject({ ...http, ...change }, environment, false)
    expect(subject).toMatchObject({ kind: 'references', text })
    expect(JSON.stringify(subject)).not.toContain('secret')
  })

  test.each([{ url: 'http://127.0.0.1:${PORT}/mcp' }, { url: 'https://e.example/$${TOKEN}' }, {}])(
    'elsewhere do not: %j',
    (change) => {
      expect(consentSubject({ ...http, ...change }, { PORT: '80' }, true)).toBeUndefined()
    },
  )
})
