import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import {
  eventually,
  privateCaFile,
  privateCertificate,
  startAuthorizationServer,
  startProtectedServer,
  startWebHost,
  temporaryHome,
} from '@dsh-mcp/testkit'
import type { WebHost } from '@dsh-mcp/testkit'
import { beforeAll, expect, test } from 'vitest'
import { callManager } from '../manager/api-client.ts'

// For the test's own requests: the browser of the person who logs in, and the server that fetches the provider's keys.
beforeAll(() => setDefaultCACertificates([...getCACertificates(), readFileSync(privateCaFile, 'utf8')]))

interface View {
  readonly status: string
}

async function viewOf(host: WebHost): Promise<View | undefined> {
  const { body } = await callManager(host, 'GET', '/api/servers')
  return (body as { servers: readonly View[] }).servers[0]
}

const waitsForLogin = (host: WebHost): Promise<unknown> =>
  eventually('the server waits for a login', async () => (await viewOf(host))?.status === 'needs-auth')

test('a login at a provider behind a company’s own authority, once the harness is told of the authority', async () => {
  await using home = await temporaryHome()
  const certificate = privateCertificate()
  await using provider = await startAuthorizationServer({ certificate })
  await using target = await startProtectedServer({ certificate, authorizationServers: [provider.origin] })
  await writeFile(
    join(home.path, 'mcp-manager.json'),
    JSON.stringify({ servers: [{ id: 'demo', name: 'demo', type: 'http', url: target.url }] }),
  )
  {
    await using host = await startWebHost({ home: home.path, plugins: ['manager'] })
    await waitsForLogin(host)
    const refused = await callManager(host, 'POST', '/api/servers/demo/auth')
    expect(refused.body).toMatchObject({ error: expect.stringMatching(/certificate|UNABLE_TO_VERIFY/) })
  }
  await using host = await startWebHost({
    home: home.path,
    plugins: ['manager'],
    env: { NODE_EXTRA_CA_CERTS: privateCaFile },
  })
  await waitsForLogin(host)
  const { status, body } = await callManager(host, 'POST', '/api/servers/demo/auth')
  expect(status, JSON.stringify(body)).toBe(200)
  const callback = await provider.login((body as { authorizeUrl: string }).authorizeUrl)
  expect((await fetch(callback)).status).toBe(200)
  await eventually('the server is connected', async () => (await viewOf(host))?.status === 'connected')
}, 120_000)
