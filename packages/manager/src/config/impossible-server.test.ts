import { expect, test } from 'vitest'
import { loadServerParser } from './server-record.ts'

const parse = await loadServerParser()
const place = { id: 'a', name: 'x', source: { kind: 'global' } } as const
const problemOf = (record: object): string | undefined => {
  const parsed = parse(record, place)
  return parsed.ok ? undefined : parsed.problem.replace('server "x": ', '')
}
const stdio = { type: 'stdio', command: 'npx' }
const http = { url: 'https://mcp.example/' }

test.each<[string, object, string]>([
  ['a command with a NUL', { ...stdio, command: 'n\0px' }, 'command: holds a NUL character'],
  ['an argument with a NUL', { ...stdio, args: ['a', 'b\0'] }, 'args.1: holds a NUL character'],
  ['a variable with a NUL', { ...stdio, env: { A: '\0' } }, 'env.A: holds a NUL character'],
  ['a variable that is no name', { ...stdio, env: { 'A=B': '1' } }, 'env: "A=B" is no name of an environment variable'],
  ['a variable without a name', { ...stdio, env: { '': '1' } }, 'env: "" is no name of an environment variable'],
  ['a folder with a NUL', { ...stdio, cwd: '/\0' }, 'cwd: holds a NUL character'],
  ['a header with a space', { ...http, headers: { 'X Y': '1' } }, 'headers: "X Y" is no name of an HTTP header'],
  ['a header without a name', { ...http, headers: { '': '1' } }, 'headers: "" is no name of an HTTP header'],
  ['a split header', { ...http, headers: { A: 'b\r\nC: d' } }, 'headers.A: holds a line break'],
  ['a header with a NUL', { ...http, headers: { A: 'b\0' } }, 'headers.A: holds a line break or a character'],
  ['a header beyond Latin-1', { ...http, headers: { A: '服务' } }, 'headers.A: holds a line break or a character'],
  ['a variable header that is no name', { ...http, headerEnv: { 'X\n': 'V' } }, 'headerEnv: "X\\n" is no name'],
])('%s is refused in plain words', (_, record, problem) => {
  expect(problemOf(record)).toContain(problem)
})

test.each<[string, object]>([
  ['a type left out for an address', http],
  ['a value with a line break at its end, as it is pasted', { ...http, headers: { Authorization: 'Bearer x\n' } }],
  ['a tab, an umlaut, a reference', { ...http, headers: { A: 'b\tcü ${D}' } }],
  ['any text in a variable', { ...stdio, env: { A: 'line\nline 服务' } }],
])('%s is fine', (_, record) => {
  expect(problemOf(record)).toBeUndefined()
})
