import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { clientConfigurations } from './client-configurations.ts'

const home = "/tmp/it's a home"
const bridge = '/opt/my $tools/dsh-mcp-stdio.mjs'
const printed = clientConfigurations(bridge, home, 'http://127.0.0.1:3080/mcp')

test.each(['claude', 'codex'])('the command for %s, pasted into a shell, has the paths as they are', (client) => {
  const line = printed.split('\n').find((candidate) => candidate.includes(`${client} mcp add`))!
  const command = line.slice(line.indexOf(client)).replace(client, String.raw`printf '%s\n'`)
  const words = execFileSync('sh', ['-c', command], { encoding: 'utf8' }).trimEnd().split('\n')
  expect(words).toEqual(['mcp', 'add', 'dsh', '--env', `DSH_HOME=${home}`, '--', 'node', bridge])
})

test('the JSON can be read back', () => {
  const json = printed.slice(printed.indexOf('{'), printed.lastIndexOf('}') + 1)
  expect(JSON.parse(json)).toEqual({
    mcpServers: { dsh: { command: 'node', args: [bridge], env: { DSH_HOME: home } } },
  })
})

test('plain paths stay unquoted', () => {
  expect(clientConfigurations('/a/b.mjs', '/home/me/.dsh', 'http://127.0.0.1:3080/mcp')).toContain(
    'claude mcp add dsh --env DSH_HOME=/home/me/.dsh -- node /a/b.mjs\n',
  )
})
