import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endpointOf } from '../server/delegate.ts'
import { useScene } from '../server/scene.ts'
import { snippetsFor } from './proofs.ts'

const scene = useScene('documents')
const snippets = snippetsFor('the wire of the server')
const inProtocol = (info: string) =>
  snippets.filter((snippet) => snippet.document === 'docs/protocol.md' && snippet.info === info)
const [capabilities, endpointFile] = inProtocol('json')

async function post(headers: Record<string, string>, message: object): Promise<unknown> {
  const { url } = await endpointOf(scene.home.path)
  const response = await fetch(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
  expect(response.status).toBe(200)
  return response.json()
}

/** The header fields of the request that the document shows, with the real token. */
async function headersShown(): Promise<Record<string, string>> {
  const [shown] = inProtocol('http')
  const [line, ...fields] = shown!.text.trim().split('\n')
  expect(line).toBe('POST /mcp HTTP/1.1')
  const { token } = await endpointOf(scene.home.path)
  return Object.fromEntries(fields.map((field) => field.replace('<token>', token).split(': ') as [string, string]))
}

test('docs/protocol.md: each block is one of the three that are tried here', () => {
  expect(inProtocol('json')).toHaveLength(2)
  expect(inProtocol('http')).toHaveLength(1)
})

test('docs/protocol.md: the request it shows is admitted, and the capabilities are what it says', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'documents', version: '1' } }
  const answer = await post(await headersShown(), { method: 'initialize', params })
  expect(answer).toHaveProperty('result.capabilities', JSON.parse(capabilities!.text))
})

test('docs/protocol.md: the endpoint file has these members, of these kinds', async () => {
  const kinds = (text: string) =>
    Object.fromEntries(Object.entries(JSON.parse(text) as object).map(([key, value]) => [key, typeof value] as const))
  const real = await readFile(join(scene.home.path, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')
  expect(kinds(real)).toEqual(kinds(endpointFile!.text))
})

interface Example {
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

test('docs/tools.md: every example is taken by the tool it is for', async () => {
  await scene.start('say one', { sessionId: 'session-1' })
  await scene.wait('session-1')
  for (const message of ['say two', 'say three'])
    await scene.agent.call('dsh_send_message', { sessionId: 'session-1', message })
  const { messageId } = await scene.agent.call('dsh_send_message', { sessionId: 'session-1', message: 'say four' })
  await scene.wait('session-1')
  const examples = snippets.filter(({ document }) => document === 'docs/tools.md')
  const { tools } = await scene.agent.client.listTools()
  expect(examples).toHaveLength(tools.length)
  for (const { text } of examples) {
    const real = text.replace('/home/me/project', scene.project).replace('6d1f…', messageId)
    const { name, arguments: args } = JSON.parse(real) as Example
    // Nobody asks anything here. What was not understood would be refused as `invalid_arguments`.
    if (args.interactionId === undefined) await scene.agent.call(name, args)
    else expect(await scene.agent.refused(name, args)).toMatchObject({ code: 'not_pending' })
  }
})
