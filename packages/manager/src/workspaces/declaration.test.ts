import { expect, test } from 'vitest'
import { readDeclaration } from './declaration.ts'

test('entries are read one by one; tokens come from outside only', async () => {
  const text = JSON.stringify({
    mcpServers: {
      files: { type: 'stdio', command: 'npx', args: ['-y', 'x'] },
      below: { type: 'stdio', command: './run', cwd: 'tools' },
      linear: { url: 'https://l.example/mcp', oauth: { tokens: { access_token: 'from the file' } } },
      'bad name!': { url: 'https://l.example/mcp' },
      broken: 7,
      'no-command': { type: 'stdio' },
    },
    disabled: ['github', 5],
    exclude: ['odin'],
  })
  const tokens = { '/p\nlinear': { oauth: { clientId: 'c' } } }
  const declaration = await readDeclaration(text, '/p', tokens)
  expect(declaration.servers).toMatchObject([
    { name: 'files', type: 'stdio', cwd: '/p', source: { kind: 'workspace', path: '/p' }, enabled: true },
    { name: 'below', cwd: '/p/tools' },
    { name: 'linear', type: 'http', authMode: 'oauth', oauth: { clientId: 'c' } },
  ])
  expect(declaration.problems).toHaveLength(3)
  expect([...declaration.disabled]).toEqual(['github', 'odin'])
  expect((await readDeclaration(text, '/p', {})).servers[2]).toMatchObject({ oauth: undefined })
})

test('an invalid file is an error of the whole', async () => {
  await expect(readDeclaration('{"mcpServers":', '/p', {})).rejects.toThrow('invalid .dsh/dshmm/mcp.json: ')
})
