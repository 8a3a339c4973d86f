import { eventually, freePort, privateCertificate, startOddHttp } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { countOf, http, openScene, textOf, untilState } from '../test-scene.ts'

describe('what goes wrong', () => {
  test('a refused connection, said in plain words', async () => {
    await using scene = openScene()
    const connection = await scene.start('closed', http(`http://127.0.0.1:${await freePort()}/mcp`))
    expect(connection.status).toMatchObject({ state: 'error', reason: expect.stringContaining('ECONNREFUSED') })
  })

  test('a certificate of a company’s own authority, with what helps', async () => {
    await using peer = await startOddHttp(undefined, privateCertificate())
    await using scene = openScene()
    const connection = await scene.start('company', http(peer.url))
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringMatching(
        /UNABLE_TO_VERIFY_LEAF_SIGNATURE.*its certificate is not trusted: start DSH with NODE_EXTRA_CA_CERTS=<file>/,
      ),
    })
  })

  test('a port that HTTP may not use', async () => {
    await using scene = openScene()
    const connection = await scene.start('port', http('http://127.0.0.1:6000/mcp'))
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining('port 6000 may not be used'),
    })
  })

  test('a name that does not exist', async () => {
    await using scene = openScene({ environment: {} })
    const connection = await scene.start('nowhere', http('https://nonexistent.invalid/mcp'))
    expect(connection.status).toMatchObject({ state: 'error', reason: expect.stringMatching(/ENOTFOUND|EAI_AGAIN/) })
  })

  test('a redirect is not followed, and headers go to nobody else', async () => {
    await using target = await startOddHttp()
    await using peer = await startOddHttp(({ plain }) => {
      plain(307, '', { location: target.url })
      return true
    })
    await using scene = openScene()
    const connection = await scene.start('moved', http(peer.url, { headers: { 'x-key': 'secret-key-1' } }))
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining(`redirects (HTTP 307) to ${target.url}`),
    })
    expect(target.seen).toEqual([])
  })

  test('a server that dies between calls: the call fails, the server is shown as failed', async () => {
    const peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('dies', http(peer.url))
    await peer[Symbol.asyncDispose]()
    await expect(connection.callTool('echo', {})).rejects.toMatchObject({ code: 'transport' })
    await untilState(connection, 'error')
    expect(connection.tools).toEqual([])
  })

  test('a call that times out fails alone, and names its budget', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('slow', http(peer.url, { timeout: 1000 }))
    await expect(connection.callTool('sleep', { ms: 20_000 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('1000 ms'),
    })
    expect(connection.status.state).toBe('connected')
    expect(await textOf(connection, 'echo', { text: 'next' })).toBe('next')
  })

  test('a cancelled call ends at once', async () => {
    await using peer = await startOddHttp()
    await using scene = openScene()
    const connection = await scene.start('cancel', http(peer.url))
    const abort = new AbortController()
    const call = connection.callTool('sleep', { ms: 60_000 }, { signal: abort.signal })
    await eventually('the call is at the server', () => countOf(peer.seen, 'POST tools/call') === 1)
    abort.abort()
    await expect(call).rejects.toMatchObject({ code: 'aborted' })
  })
})
