import { mkdir, writeFile } from 'node:fs/promises'
import { realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { dshEntry, hostEnvironment, nodeBinary, scriptedModelRow, temporaryHome } from '@dsh-mcp/testkit'
import { promptInput } from '@dsh-mcp/sdk-protocol'
import { expect, test } from 'vitest'
import { connect, lastText } from './connect.ts'
import { swapTransport } from './programs.ts'

const server = realpathSync(createRequire(import.meta.url).resolve('@deepseek-ai/dsh-sdk-jsonrpc-server'))

/** A profile that is the base of the harness with the published SDK server and the scripted model in it. */
async function makeProfile(home: string): Promise<void> {
  const profile = join(home, 'profiles', 'sdk')
  await mkdir(profile, { recursive: true })
  const manifest = { name: 'sdk', private: true, dsh: { profile: { bundles: ['@deepseek-ai/dsh-base'] } } }
  await writeFile(join(profile, 'package.json'), JSON.stringify(manifest))
  const patch = [
    { id: 'hmr', disabled: true },
    { id: 'session-title-llm', disabled: true },
    {
      insert: [
        { id: 'scripted-model', name: scriptedModelRow },
        { id: 'sdk-jsonrpc-server', name: server },
      ],
    },
  ]
  await writeFile(join(profile, 'cordis.patch.yml'), JSON.stringify(patch))
}

test.each([
  ['as published', []],
  ['on this transport', swapTransport],
])(
  'our client drives a real host whose SDK server is %s',
  async (_name, flags) => {
    await using home = await temporaryHome()
    await makeProfile(home.path)
    const args = [...flags, dshEntry, '--profile', 'sdk']
    await using connection = connect(nodeBinary, args, hostEnvironment(home.path), home.path)
    const { runtime, run } = connection
    const { serverInfo } = await runtime.request('initialize', {
      cwd: home.path,
      provider: 'scripted',
      model: 'scripted',
    })
    expect(serverInfo.name).toBe('deepseek-harness-sdk-runtime')
    expect(connection.stderr().includes('transport under test imported by dsh-sdk-jsonrpc-server')).toBe(
      flags.length > 0,
    )

    const events = await run('s', 'call bash {"command":"echo from-the-shell","description":"say it"}')
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['tool/call', 'tool/result', 'turn/end']))
    expect(lastText(events)).toContain('from-the-shell')

    const text = 'x'.repeat(1 << 20)
    const contentBlocks = promptInput(`say ${text}`)
    const ended = connection.until(({ params }) => lastText([params.event as never].filter(Boolean)) === text)
    await runtime.request('session/prompt', { sessionId: 'long', contentBlocks })
    await ended

    expect(await runtime.request('shutdown')).toEqual({})
    expect(await connection.exited).toBe(0)
  },
  120_000,
)
