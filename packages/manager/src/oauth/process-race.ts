import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { openRig, openScene } from './test-rig.ts'

const program = fileURLToPath(new URL('refresh.program.ts', import.meta.url))

/** What a process answers to a call. */
export interface CallAnswer {
  readonly ok: boolean
  readonly error?: string
}

/** Starts a process on a state file; resolves when its connection has been tried. */
export async function startRefresher(path: string, killAt?: string): Promise<ChildProcess> {
  const child = fork(program, killAt === undefined ? [path] : [path, killAt], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

let lastCall = 0

/** Asks a process to call the tool. */
export async function callIn(child: ChildProcess): Promise<CallAnswer> {
  const call = ++lastCall
  const { promise, resolve } = Promise.withResolvers<CallAnswer>()
  const listen = (message: unknown): void => {
    const { call: answered, ...answer } = message as CallAnswer & { readonly call: number }
    if (answered !== call) return
    child.off('message', listen)
    resolve(answer)
  }
  child.on('message', listen)
  child.send({ call })
  return promise
}

/** Ends a process. */
export async function quit(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.send('quit')
  await gone
}

/**
 * Two processes on one state file against a provider that revokes a login whose refresh token is used twice; every
 * round all tokens are refused at once, and both processes call. No call may fail and no refresh token be spent twice.
 */
export async function raceProcesses(rounds: number): Promise<void> {
  await using scene = await openScene()
  await using rig = await openRig({ url: scene.target.url })
  expect((await rig.logIn((url) => scene.provider.login(url))).result).toMatchObject({ ok: true })
  const children = await Promise.all([startRefresher(rig.path), startRefresher(rig.path)])
  try {
    for (let round = 0; round < rounds; round++) {
      scene.target.expireTokens()
      const answers = await Promise.all([...children, ...children].map(callIn))
      expect(answers, `round ${round}`).toEqual(answers.map(() => ({ ok: true })))
    }
  } finally {
    await Promise.all(children.map(quit))
  }
  const refreshes = scene.provider.tokenRequests.filter(({ grant }) => grant === 'refresh_token')
  expect(refreshes.filter(({ ok }) => !ok)).toEqual([])
  expect(refreshes.length).toBeGreaterThanOrEqual(rounds)
  expect(new Set(refreshes.map(({ refreshToken }) => refreshToken)).size).toBe(refreshes.length)
  await rig.state.reload()
  await rig.connection().callTool('whoami', {})
}
