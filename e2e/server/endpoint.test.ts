import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'

interface Published {
  readonly url: string
  readonly token: string
  readonly pid: number
  readonly nonce: string
}

async function published(home: string): Promise<Published> {
  return JSON.parse(await readFile(join(home, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')) as Published
}

async function post({ url, token }: Published, message: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) })
}

test('the endpoint of a real host is found by its file, answers, and goes with the host', async () => {
  await using home = await temporaryHome()
  let first: Published
  {
    await using host = await startWebHost({ home: home.path, plugins: ['server'] })
    first = await published(home.path)
    expect(first.url).toBe(`${host.url}/mcp`)
    expect((await stat(join(home.path, 'mcp'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(home.path, 'mcp', 'dsh-mcp-endpoint.json'))).mode & 0o777).toBe(0o600)

    const initialized = await post(first, { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
    expect(initialized.status).toBe(200)
    expect(await initialized.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { protocolVersion: '2025-06-18', serverInfo: { name: 'dsh-mcp-server' } },
    })
    expect((await post({ ...first, token: 'wrong' }, {})).status).toBe(401)
    expect((await fetch(first.url, { method: 'POST', body: '{}' })).status).toBe(401)
    const { code } = await host.stop()
    expect(code).toBe(0)
  }
  await expect(published(home.path)).rejects.toThrow('ENOENT')

  await using again = await startWebHost({ home: home.path, plugins: ['server'] })
  const second = await published(home.path)
  expect(second.url).toBe(`${again.url}/mcp`)
  expect(second.token).toBe(first.token)
  expect(second.nonce).not.toBe(first.nonce)
})
