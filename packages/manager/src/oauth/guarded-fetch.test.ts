import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createAttemptLog } from '../diagnostics/index.ts'
import type { Reach } from './address-safety.ts'
import { guardedSend, reachFrom } from './guarded-fetch.ts'
import { flowHttp } from './http.ts'

/** A resolver for made-up names. */
const names: Readonly<Record<string, readonly string[]>> = {
  'public.test': ['93.184.216.34'],
  'rebound.test': ['93.184.216.34', '127.0.0.1'],
  'metadata.test': ['169.254.169.254'],
  'intranet.test': ['10.1.2.3'],
  'mapped.test': ['::ffff:127.0.0.1'],
  'here.test': ['127.0.0.1'],
}
const resolve = async (name: string) => names[name] ?? []

async function target() {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.end('{}')
  })
  server.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  return {
    seen,
    origin: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((done) => server.close(() => done()))
    },
  }
}

const open = (reach: Reach, environment: Record<string, string> = {}) => {
  const log = createAttemptLog()
  return { log, http: flowHttp({ send: guardedSend({ environment, resolve }), reach, log, timeoutMs: 5_000 }) }
}

test('a public server cannot send the flow to this machine', async () => {
  await using local = await target()
  const { http, log } = open('internet')
  await expect(http.get(new URL(`${local.origin}/secret`), 'discovery')).rejects.toMatchObject({ code: 'unsafe-url' })
  expect(local.seen).toEqual([])
  expect(log.entries()[0]?.detail).toContain('not a public address')
})

test.each(['rebound.test', 'metadata.test', 'intranet.test', 'mapped.test'])(
  'nor by a name that resolves to one: %s',
  async (name) => {
    const { http } = open('internet')
    const failure = http.post(new URL(`https://${name}/token`), 'refresh', {}, 'secret')
    await expect(failure).rejects.toMatchObject({ code: 'unsafe-url' })
    await expect(failure).rejects.toThrow(name)
  },
)

test('nor by a redirect', async () => {
  await using local = await target()
  const redirecting = createServer((_, response) => {
    response.writeHead(302, { location: `http://169.254.169.254/latest` }).end()
  })
  await new Promise<void>((done) => redirecting.listen(0, '127.0.0.1', done))
  const { port } = redirecting.address() as AddressInfo
  const { http } = open('machine')
  await expect(http.get(new URL(`http://127.0.0.1:${port}/`), 'discovery')).rejects.toMatchObject({
    code: 'unsafe-url',
  })
  expect(local.seen).toEqual([])
  await new Promise<void>((done) => redirecting.close(() => done()))
})

test('nor does a name that leads to this machine now open its own addresses: it may lead elsewhere in a moment', async () => {
  await using local = await target()
  const reach = await reachFrom(new URL('https://here.test/mcp'), resolve)
  const { http } = open(reach)
  await expect(http.get(new URL(`${local.origin}/`), 'discovery')).rejects.toMatchObject({ code: 'unsafe-url' })
  expect(local.seen).toEqual([])
  // By name it is reached, and asked for its certificate.
  const byName = http.get(new URL(`https://here.test:${new URL(local.origin).port}/`), 'discovery')
  await expect(byName).rejects.toMatchObject({ code: 'network' })
})

test('a server on this machine may name this machine', async () => {
  await using local = await target()
  expect((await open('machine').http.get(new URL(local.origin), 'discovery')).status).toBe(200)
})

test('how far a flow may reach is told by where its server is', async () => {
  expect(await reachFrom(new URL('http://127.0.0.1:1/mcp'), resolve)).toBe('machine')
  expect(await reachFrom(new URL('https://intranet.test/mcp'), resolve)).toBe('network')
  expect(await reachFrom(new URL('https://public.test/mcp'), resolve)).toBe('internet')
  expect(await reachFrom(new URL('https://rebound.test/mcp'), resolve)).toBe('internet')
  const failing = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await reachFrom(new URL('https://unknown.test/mcp'), failing)).toBe('internet')
})

test('requests go through the proxy of the environment, loopback does not', async () => {
  await using proxy = await target()
  await using local = await target()
  const { http } = open('machine', { HTTPS_PROXY: proxy.origin, HTTP_PROXY: proxy.origin })
  await expect(http.get(new URL('https://public.test/.well-known/x'), 'discovery')).rejects.toMatchObject({
    code: 'network',
  })
  expect(proxy.seen).toEqual(['CONNECT public.test:443'])
  await http.get(new URL(local.origin), 'discovery')
  expect(proxy.seen).toHaveLength(1)
})

test('an answer that never comes ends in time, with the stage', async () => {
  const silent = createServer(() => undefined)
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const { port } = silent.address() as AddressInfo
  const log = createAttemptLog()
  const http = flowHttp({ send: guardedSend({ environment: {} }), reach: 'machine', log, timeoutMs: 200 })
  await expect(http.get(new URL(`http://127.0.0.1:${port}/`), 'register')).rejects.toMatchObject({
    code: 'timeout',
    stage: 'register',
  })
  silent.closeAllConnections()
  await new Promise<void>((done) => silent.close(() => done()))
})
