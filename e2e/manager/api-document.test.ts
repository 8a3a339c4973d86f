import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot, startEverything, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { openTestApi } from '../../packages/manager/src/web/test-parts.ts'
import { snippetsFor } from '../documents/proofs.ts'
import { callManager } from './api-client.ts'

interface Example {
  readonly method: string
  readonly path: string
  readonly body: string | undefined
  readonly status: number
  readonly answer: unknown
}

const read = (name: string): Promise<string> => readFile(join(repositoryRoot, 'docs', name), 'utf8')

/** An example is a block of HTTP, a line with the status, and a block of JSON. */
function examplesIn(text: string): Example[] {
  const pattern = /```http\n([\s\S]*?)```\s+\S+ ?`(\d{3})`[:：]\s+```json\n([\s\S]*?)```/g
  return [...text.matchAll(pattern)].map(([, http, status, json]) => {
    const [head = '', ...rest] = http!.trim().split('\n\n')
    const [method = '', path = ''] = head.split('\n')[0]!.split(' ')
    return {
      method,
      path: path.replace('/mcp-manager', ''),
      body: rest.length === 0 ? undefined : rest.join('\n\n'),
      status: Number(status),
      answer: JSON.parse(json!),
    }
  })
}

/** The expectation an answer in the document stands for: its members, `…` for anything. */
function expectation(value: unknown): unknown {
  if (value === '…') return expect.anything()
  if (Array.isArray(value)) return value.map(expectation)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, expectation(entry)])),
  )
}

test('both languages show the same examples', async () => {
  const [english, chinese] = await Promise.all([read('manager-api.md'), read('manager-api.zh-CN.md')])
  expect(examplesIn(chinese)).toEqual(examplesIn(english))
  expect(examplesIn(english).length).toBeGreaterThan(30)
  expect(examplesIn(english).length * 2, 'each block belongs to an example').toBe(
    snippetsFor('the API of the manager').length,
  )
})

test('every route has an example', async () => {
  await using listed = await openTestApi()
  const shown = new Set(
    examplesIn(await read('manager-api.md')).map(({ method, path }) => `${method} ${path.replace('{id}', ':id')}`),
  )
  // a stream and a page for a returning browser: shown in words, proven in tests of their own
  const others = new Set(['GET /api/events', 'GET /callback/:id'])
  const missing = listed.api.routes.map(({ method, path }) => `${method} ${path}`).filter((one) => !shown.has(one))
  expect(missing.filter((one) => !others.has(one))).toEqual([])
})

test('every example answers as written, one after the other', async () => {
  await using home = await temporaryHome()
  await using peer = await startEverything()
  const project = join(await realpath(home.path), 'project')
  await mkdir(project)
  await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
  await host.api('workspace.create', { path: project })
  let id = ''
  const real = (text: string): string =>
    text.replaceAll('https://mcp.example/mcp', peer.url).replaceAll('/home/me/project', project).replaceAll('{id}', id)
  for (const example of examplesIn(await read('manager-api.md'))) {
    const { method, path, body, status, answer } = example
    const received = await callManager(host, method, real(path), body === undefined ? {} : { body: real(body) })
    const made = received.body as { server?: { id?: string } }
    if (received.status === 201) id = made.server?.id ?? ''
    const expected: unknown = JSON.parse(real(JSON.stringify(answer)))
    expect(received, `${method} ${path}`).toMatchObject({ status, body: expectation(expected) })
  }
})
