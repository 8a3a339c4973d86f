import { expect, test } from 'vitest'
import { convertServer, importName } from './convert.ts'
import { plainJson } from './jsonc.ts'
import { findServers } from './read-file.ts'

/** Format, then name, definition and notes of each server in a text. */
async function read(text: string): Promise<unknown> {
  const { format, servers } = await findServers(text)
  return [
    format,
    ...servers.map(([name, entry]) => {
      const converted = convertServer(name, entry, new Set())
      return [converted.name, converted.problem ?? converted.definition, converted.notes]
    }),
  ]
}

const stdio = { type: 'stdio', command: 'npx', args: ['-y', 'pkg'], env: {} }

test.each<[string, string, unknown]>([
  [
    'Claude Desktop',
    '{"globalShortcut":"","mcpServers":{"files":{"command":"npx","args":["-y","pkg"],"env":{"KEY":"v"}}}}',
    ['claude-desktop', ['files', { ...stdio, env: { KEY: 'v' } }, []]],
  ],
  [
    'Claude Code',
    '{"mcpServers":{"api":{"type":"http","url":"https://a.example/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}',
    ['claude-code', ['api', { type: 'http', url: 'https://a.example/mcp', authMode: 'static', tokenEnv: 'TOKEN' }, []]],
  ],
  [
    'projects of Claude Code',
    '{"numStartups":3,"projects":{"/p":{"mcpServers":{"old":{"type":"sse","url":"https://a.example/sse"}}}}}',
    ['claude-code', ['old', { type: 'http', url: 'https://a.example/sse', authMode: 'oauth' }, []]],
  ],
  [
    'Cursor',
    '{"mcpServers":{"api":{"url":"https://a.example/mcp","headers":{"X-Key":"${env:KEY}"}}}}',
    [
      'cursor',
      ['api', { type: 'http', url: 'https://a.example/mcp', authMode: 'oauth', headers: { 'X-Key': '${KEY}' } }, []],
    ],
  ],
  [
    'VS Code with comments and inputs',
    '{\n // mine\n "inputs": [],\n "servers": { "api": { "command": "npx", "args": ["-y", "pkg",], "env": {"K": "${input:api-key}"}, }, },\n}',
    [
      'vscode',
      [
        'api',
        { ...stdio, env: { K: '${API_KEY}' } },
        ['it asks for "api-key": set the variable API_KEY before DSH starts'],
      ],
    ],
  ],
  [
    'settings of VS Code',
    '{"editor.fontSize":12,"mcp":{"servers":{"api":{"command":"npx","args":["-y","pkg"]}}}}',
    ['vscode', ['api', stdio, []]],
  ],
  [
    'Codex',
    [
      'model = "x"',
      '[mcp_servers.files]',
      'command = "npx"',
      'args = ["-y", "pkg"]',
      'env_vars = ["HOME"]',
      'tool_timeout_sec = 90',
      '[mcp_servers.remote]',
      'url = "https://a.example/mcp"',
      'bearer_token_env_var = "TOKEN"',
      'enabled = false',
      '[mcp_servers.remote.http_headers]',
      'X-Region = "eu"',
    ].join('\n'),
    [
      'codex',
      ['files', { ...stdio, env: { HOME: '${HOME}' }, timeout: 90_000 }, []],
      [
        'remote',
        {
          type: 'http',
          url: 'https://a.example/mcp',
          authMode: 'static',
          tokenEnv: 'TOKEN',
          headers: { 'X-Region': 'eu' },
          enabled: false,
        },
        [],
      ],
    ],
  ],
  ['the inside of a file', '"files": {"command":"npx","args":["-y","pkg"]},', ['mcp-servers', ['files', stdio, []]]],
  ['one bare entry', '{"command":"npx","args":["-y","pkg"]}', ['mcp-servers', ['server', stdio, []]]],
  [
    'a fixed credential',
    '{"mcpServers":{"a":{"url":"http://x/","headers":{"Authorization":"Basic abc"}}}}',
    [
      'mcp-servers',
      ['a', { type: 'http', url: 'http://x/', authMode: 'none', headers: { Authorization: 'Basic abc' } }, []],
    ],
  ],
  [
    'an entry that starts nothing',
    '{"mcpServers":{"a":{"note":"x"}}}',
    ['mcp-servers', ['a', 'it has neither a command nor a url', []]],
  ],
])('reads %s', async (_name, text, expected) => {
  expect(await read(text)).toEqual(expected)
})

test.each([
  ['', 'the text is empty'],
  ['{"a":', 'the text is not JSON'],
  ['{"a":1}', 'no servers found'],
  ['hello world', 'neither JSON nor TOML'],
  ['[other]\nx = 1', 'no servers found'],
])('says why %j holds no servers', async (text, reason) => {
  await expect(findServers(text)).rejects.toThrow(reason)
})

test('names are made fit, distinct, and at most 32 characters', () => {
  expect(importName('My Files!', new Set())).toBe('My_Files')
  expect(importName('查询', new Set())).toBe('server')
  expect(importName('a', new Set(['a', 'a_2']))).toBe('a_3')
  const long = importName('x'.repeat(40), new Set(['x'.repeat(32)]))
  expect(long).toBe(`${'x'.repeat(30)}_2`)
})

test('comments and trailing commas go, strings stay', () => {
  const text = '{ /* c */ "a": "// no /* c */ \\" ,}", // end\n "b": [1, 2, /* x */ ], }'
  expect(JSON.parse(plainJson(text))).toEqual({ a: '// no /* c */ " ,}', b: [1, 2] })
  const large = `{"a":[${'[1,],'.repeat(40_000)}]}`
  expect(JSON.parse(plainJson(large))).toHaveProperty('a')
})
