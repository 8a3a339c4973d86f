import { writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { nodeBinary, startWebHost } from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpointOf } from '../server/delegate.ts'
import { cleanCheckout } from './clean-checkout.ts'
import type { CleanCheckout } from './clean-checkout.ts'
import { pingAs, writeRows } from './profile.ts'
import { snippetsFor } from './proofs.ts'
import { inlineCodeOf, readDocument } from './read.ts'

/** The READMEs of the packages, followed word by word in one clone; then a harness is started, once. */
const opened = new AsyncDisposableStack()
let newcomer: CleanCheckout
let host: WebHost

/** Where `DSH_HOME` is when nobody sets it. */
const home = () => join(newcomer.home, '.dsh')
const start = () => startWebHost({ home: home(), env: { HOME: newcomer.home, DSH_HOME: undefined }, model: 'own' })

const readmes = ['manager', 'server', 'sdk-protocol'].map((name) => `packages/${name}/README.md`)
const commandsOf = (readme: string) => snippetsFor('an installation', readme).map(({ text }) => text)

beforeAll(async () => {
  newcomer = opened.use(await cleanCheckout())
  await writeFile(join(newcomer.project, 'package.json'), '{ "name": "your-project", "type": "module" }')
  const done = new Set<string>()
  for (const readme of readmes) {
    // The tarballs of all three packages come from one command, which each README repeats.
    const commands = commandsOf(readme).filter((command) => command !== 'npm run pack' || !done.has(command))
    for (const command of commands) done.add(command)
    await newcomer.shell(commands.join('\n'))
  }
  await writeRows(home(), 'packages/manager/README.md', 'packages/server/README.md')
  host = opened.use(await start())
}, 180_000)
afterAll(() => opened.disposeAsync())

test('each README says how to install from the tarballs', () => {
  for (const readme of readmes) expect(commandsOf(readme)[0]).toBe('npm run pack')
})

test('the manager is there after the restart, with its row in place', async () => {
  expect(await pingAs(host.port, '127.0.0.1')).toBe(200)
  expect(await pingAs(host.port, 'dsh.example')).toBe(403)
  expect(host.child.stderr()).not.toContain('config.')
})

test('the server publishes its endpoint where its README and its row say', async () => {
  const { url } = await endpointOf(home())
  expect(url).toBe(`${host.url}/mcp`)
})

test('the library imports in the project', async () => {
  const program = `import { JsonRpcLineTransport } from '@dsh-mcp/sdk-protocol'\nconsole.log(JsonRpcLineTransport.name)\n`
  await writeFile(join(newcomer.project, 'program.js'), program)
  expect(await newcomer.shell('cd ../your-project && node program.js')).toBe('JsonRpcLineTransport\n')
})

test('`npx dsh` in the clone is the release of the tests, whatever else is installed', async () => {
  const path = [dirname(nodeBinary), '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter)
  const version = await newcomer.shell(`PATH=${path} npx dsh --version`)
  expect(readDocument('packages/manager/README.md')).toContain(`DeepSeek Harness ${version.trim()} | works`)
})

interface ClientEntry {
  readonly command: string
  readonly args: readonly string[]
}

/**
 * What a client starts: of `claude mcp add NAME [--env K=V] -- COMMAND …`, the same for `codex`, what stands behind `--`, to
 * be read by a shell; of JSON, the entry. Both command lines were tried with Claude Code 2.1.197 and Codex 0.171.
 */
function clientEntry({ info, text }: { readonly info: string; readonly text: string }): ClientEntry {
  if (info === 'json') {
    const { mcpServers } = JSON.parse(text.replaceAll('/home/me', newcomer.home)) as {
      mcpServers: Record<string, ClientEntry>
    }
    return mcpServers.dsh!
  }
  const [, command] = /^(?:claude|codex) mcp add [\w-]+ (?:--env \w+=\S+ )*-- (.+)$/.exec(text) ?? []
  if (command === undefined) throw new Error(`no client takes "${text}"`)
  return { command: 'sh', args: ['-c', `exec ${command}`] }
}

test.each(snippetsFor('MCP clients').map((snippet) => [snippet.text.split('\n')[0]!, snippet] as const))(
  'a client that was told "%s" finds what the README promises',
  async (_, snippet) => {
    const { command, args } = clientEntry(snippet)
    const env = { HOME: newcomer.home, PATH: newcomer.env.PATH ?? '' }
    const client = new Client({ name: 'newcomer', version: '1.0.0' })
    await client.connect(new StdioClientTransport({ command, args: [...args], env, stderr: 'ignore' }))
    try {
      const { tools } = await client.listTools()
      const promised = inlineCodeOf(snippet.document)
        .map(({ text }) => text)
        .filter((text) => /^dsh_\w+$/.test(text))
      expect(promised.length).toBeGreaterThan(3)
      expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(promised))
      const status = await client.callTool({ name: 'dsh_get_status', arguments: {} })
      expect(status.isError).not.toBe(true)
    } finally {
      await client.close()
    }
  },
)

test('a value of the wrong type keeps the harness from starting, and the message names the key', async () => {
  await writeFile(
    join(home(), 'profiles', 'web', 'cordis.patch.yml'),
    '- id: dsh-mcp-server\n  config: { allowedRoots: nothing }\n',
  )
  await expect(start()).rejects.toThrow(/allowedRoots/)
})
