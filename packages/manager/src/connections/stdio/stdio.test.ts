import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, isAlive, oddStdio, processesWith } from '@dsh-mcp/testkit'
import { describe, expect, test } from 'vitest'
import { define, openScene, stdio, textOf, untilState } from '../test-scene.ts'

describe('what reaches the server', () => {
  test('arguments arrive as they were written', async () => {
    await using scene = openScene()
    const args = ['a b', '"q"', "it's", '$HOME', '*.ts', '世界', '', '\\', '&|>%PATH%']
    const connection = await scene.start('args', stdio({}, args))
    expect(JSON.parse(await textOf(connection, 'arguments'))).toEqual(args)
  })

  test('the environment is scrubbed, references are resolved, and the log says what was left out', async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'dsh-mcp-cwd-')))
    try {
      const environment = {
        PATH: process.env.PATH,
        AMBIENT_TOKEN: 't0p-secret',
        DSH_HOME: '/x',
        PLACE: folder,
        LANG: 'C',
      }
      await using scene = openScene({ environment })
      const connection = await scene.start('env', {
        ...stdio(),
        env: { MY_TOKEN: '${AMBIENT_TOKEN}', LITERAL: '$${AMBIENT_TOKEN}', MISSING: '${NOPE:-fallback}' },
        cwd: '${PLACE}',
      })
      const { env, cwd } = JSON.parse(await textOf(connection, 'environment')) as {
        env: Record<string, string>
        cwd: string
      }
      expect(env).toMatchObject({ MY_TOKEN: 't0p-secret', LITERAL: '${AMBIENT_TOKEN}', MISSING: 'fallback', LANG: 'C' })
      expect(env).not.toHaveProperty('AMBIENT_TOKEN')
      expect(env).not.toHaveProperty('DSH_HOME')
      expect(cwd).toBe(folder)
      expect(scene.log('env')).toContain('not passed on: AMBIENT_TOKEN, DSH_HOME')
      expect(scene.log('env')).not.toContain('t0p-secret')
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('a stored command line with blanks is split, quotes respected', async () => {
    await using scene = openScene()
    const { command, args } = oddStdio({}, ['last'])
    const connection = await scene.start('line', {
      type: 'stdio',
      command: `${command} "${args[0]}" '{}' "a b"`,
      args: ['last'],
    })
    expect(JSON.parse(await textOf(connection, 'arguments'))).toEqual(['a b', 'last'])
  })
})

describe('what goes wrong at the start', () => {
  test.each([
    ['no such program', { type: 'stdio', command: 'no-such-program-xyz' }, /"no-such-program-xyz" was not found.*PATH/],
    ['no such folder', { ...stdio(), cwd: '/no/such/folder' }, /working directory \/no\/such\/folder does not exist/],
    [
      'a variable not set',
      { ...stdio(), env: { A: '${SURELY_NOT_SET_XYZ}' } },
      /env\.A: .*SURELY_NOT_SET_XYZ is not set/,
    ],
    [
      'an early end',
      stdio({ exitAtOnce: 4, stderr: 'cannot find module "x"\n' }),
      /exited with code 4; end of stderr: cannot find/,
    ],
  ])('%s is an error of that server, to be tried again', async (_, record, reason) => {
    await using scene = openScene()
    const connection = await scene.start('bad', record)
    expect(connection.status).toMatchObject({ state: 'error', reason: expect.stringMatching(reason) })
    expect((connection.status as { retryAt: number }).retryAt).toBeGreaterThan(Date.now())
    await expect(connection.callTool('echo', {})).rejects.toMatchObject({ code: 'not-connected' })
  })

  test('a secret in the error output stays out of status and log', async () => {
    await using scene = openScene()
    const connection = await scene.start('leak', {
      ...stdio({ exitAtOnce: 1, stderr: 'bad key abcdef-123456\n' }),
      env: { API_KEY: 'abcdef-123456' },
    })
    expect(JSON.stringify(connection.status)).not.toContain('abcdef')
    expect(scene.log('leak')).toContain('bad key [redacted]')
    expect(scene.log('leak')).not.toContain('abcdef')
  })
})

describe('finding the era', () => {
  test.each([
    ['a server that refuses the probe', {}, { era: 'legacy', reason: 'server/discover refused' }],
    [
      'a modern server',
      { modern: true },
      { era: 'modern', protocolVersion: '2026-07-28', reason: 'server/discover answered' },
    ],
    [
      'a server that leaves at the probe',
      { diesOnProbe: true },
      { era: 'legacy', reason: 'left at the server/discover probe' },
    ],
    [
      'a server that is silent at the probe',
      { silentOnProbe: true },
      { era: 'legacy', reason: 'no answer to server/discover within 3 s' },
    ],
  ])('%s', async (_, odd, expected) => {
    await using scene = openScene()
    const connection = await scene.start('era', stdio(odd))
    expect(connection.status).toMatchObject({ state: 'connected', transport: 'stdio', toolCount: 11, ...expected })
    expect(await textOf(connection, 'echo', { text: '世界' })).toBe('世界')
  })

  test('a modern server that takes long to start is probed again with more time', async () => {
    await using scene = openScene()
    const connection = await scene.start('late', stdio({ modern: true, startMs: 3_500 }))
    expect(connection.status).toMatchObject({ state: 'connected', era: 'modern' })
    expect(scene.log('late')).toContain('probing again with more time')
  })

  test('is remembered for the next connection', async () => {
    await using scene = openScene()
    const connection = await scene.start('crash', stdio({ silentOnProbe: true }))
    await expect(connection.callTool('crash', {})).rejects.toMatchObject({ code: 'closed' })
    await untilState(connection, 'error')
    expect(await untilState(connection, 'connected')).toMatchObject({ reason: 'remembered' })
  })
})

test('a connection asked for again while its process is starting leaves one process', async () => {
  const mark = `again-${process.pid}-${Math.random()}`
  const env = { DSH_MCP_TEST_MARK: mark }
  {
    await using scene = openScene()
    const connection = scene.set.start(define('again', { ...stdio(), env }))
    // Each turn of the loop interrupts the start one step later.
    for (let turns = 0; turns < 40; turns++) {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      void connection.reconnect()
    }
    await connection.reconnect()
    expect(connection.status).toMatchObject({ state: 'connected' })
    await eventually('one process is left', async () => (await processesWith(mark)).length === 1)
  }
  expect(await processesWith(mark)).toEqual([])
})

test('connected means that tools are listed', async () => {
  await using scene = openScene()
  const connection = scene.set.start(define('slow', stdio({ neverLists: true })))
  await eventually('the handshake is done', () => scene.log('slow').includes('2025-11-25'))
  expect(connection.status).toEqual({ state: 'connecting' })
  expect(connection.tools).toEqual([])
})

test('a server that asks back for input gets a clear refusal', async () => {
  await using scene = openScene()
  const connection = await scene.start('asks', stdio({ modern: true }))
  await expect(connection.callTool('ask', {})).rejects.toMatchObject({
    code: 'protocol',
    message: expect.stringMatching(/asks? .*input|elicitation/),
  })
  expect(connection.status.state).toBe('connected')
})

describe('output', () => {
  test('lines that are no JSON are skipped and told of', async () => {
    await using scene = openScene()
    const connection = await scene.start('noise', stdio({ noise: ['Starting up...', '[1;32mready'] }))
    expect(connection.status.state).toBe('connected')
    expect(scene.log('noise')).toContain(
      '2 lines on standard output that are no JSON were skipped, the first: Starting up...',
    )
  })

  test('a flood on the error output holds nothing up', async () => {
    await using scene = openScene()
    const connection = await scene.start('flood', stdio({ stderrBytes: 1_000_000 }))
    expect(await textOf(connection, 'echo', { text: 'still here' })).toBe('still here')
  })

  test('bytes that are no UTF-8, and characters cut in two', async () => {
    await using scene = openScene()
    const connection = await scene.start('bytes', stdio())
    expect(await textOf(connection, 'bytes', { bytes: [0xe9] })).toBe('a\u{FFFD}b')
    expect(await textOf(connection, 'bytes', { bytes: [...Buffer.from('世')] })).toBe('a世b')
  })

  test('an answer beyond the limit fails that call and no other', async () => {
    await using scene = openScene({ frameLimit: 200_000 })
    const connection = await scene.start('big', stdio())
    const [big, small] = await Promise.allSettled([
      connection.callTool('big', { bytes: 300_000 }),
      connection.callTool('big', { bytes: 150_000 }),
    ])
    expect(big).toMatchObject({
      status: 'rejected',
      reason: { code: 'frame-too-large', message: expect.stringMatching(/beyond the limit of 200000/) },
    })
    expect(small.status).toBe('fulfilled')
    expect(connection.status.state).toBe('connected')
  })

  test('12 MiB in one answer are nothing special', async () => {
    await using scene = openScene()
    const connection = await scene.start('large', stdio())
    expect((await textOf(connection, 'big', { bytes: 12 * 1024 * 1024 })).length).toBe(12 * 1024 * 1024)
  })

  test('blocks of unknown kinds come through as they are', async () => {
    await using scene = openScene()
    const connection = await scene.start('blocks', stdio())
    expect(await connection.callTool('odd-blocks', {})).toEqual({
      content: [{ type: 'blob', z: 1 }, { text: 'untyped' }, { type: 'text', text: 5 }, 7],
      structuredContent: [1],
    })
  })
})

describe('the end', () => {
  test.each([
    ['a wrapper that ignores everything', { ignoreTerm: true, grandchild: true }],
    ['an ordinary server', {}],
  ])('of %s leaves no process', async (_, odd) => {
    const scene = openScene()
    const { command, args } = oddStdio(odd)
    const line = [command, ...args].map((word) => `'${word}'`).join(' ')
    const connection = await scene.start('wrapped', { type: 'stdio', command: 'sh', args: ['-c', `${line}; true`] })
    const pid = Number(await textOf(connection, 'pid'))
    expect(isAlive(pid)).toBe(true)
    await scene.set.close()
    expect(isAlive(pid)).toBe(false)
  })

  test('while it is starting leaves no process either, and there are never two', async () => {
    await using scene = openScene()
    const mark = `restart-${process.pid}-${Date.now()}`
    const most: number[] = []
    for (let round = 0; round < 4; round++) {
      const connection = scene.set.start(define('restart', { ...stdio(), env: { MARK: mark, ROUND: String(round) } }))
      if (round % 2 === 1) await untilState(connection, 'connected')
      most.push((await processesWith(mark)).length)
    }
    expect(Math.max(...most)).toBe(1)
    await scene.set.stop('id-restart')
    expect(await processesWith(mark)).toEqual([])
    expect(scene.set.list()).toEqual([])
  })

  test('a crash fails the calls under way at once and is told with the end of its error output', async () => {
    await using scene = openScene()
    const connection = await scene.start('crash', stdio())
    const sleeping = connection.callTool('sleep', { ms: 60_000 })
    await expect(connection.callTool('crash', {})).rejects.toMatchObject({ code: 'closed' })
    await expect(sleeping).rejects.toMatchObject({ code: 'closed' })
    expect(connection.status).toMatchObject({
      state: 'error',
      reason: expect.stringContaining('exited with code 3; end of stderr: about to crash'),
    })
    expect(connection.tools).toEqual([])
  })
})
