import { mkdir, readFile, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { configPatch, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import type { TemporaryHome, WebHost } from '@dsh-mcp/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { delegateTo } from './delegate.ts'
import type { Delegate } from './delegate.ts'

let home: TemporaryHome
let host: WebHost
let agent: Delegate
let allowed: string
let outside: string

beforeAll(async () => {
  home = await temporaryHome()
  const root = await realpath(home.path)
  allowed = join(root, 'allowed')
  outside = join(root, 'allowed-not')
  await mkdir(join(allowed, 'inner'), { recursive: true })
  await mkdir(outside)
  const policy = { allowedRoots: [allowed], maxPermissionPreset: 'workspace-write', allowApprovals: false }
  host = await startWebHost({
    home: home.path,
    plugins: ['server'],
    patches: [configPatch('dsh-mcp-server', { ...policy, endpointDirectory: join(home.path, 'mcp') })],
  })
  agent = await delegateTo(home.path, 'policy')
}, 120_000)

afterAll(async () => {
  await agent[Symbol.asyncDispose]()
  await host.stop()
  await home[Symbol.asyncDispose]()
})

test('sessions start inside the allowed roots only, whatever a symlink or .. says', async () => {
  await symlink(outside, join(allowed, 'way-out'))
  const refusals = await Promise.all(
    [outside, join(allowed, 'way-out'), `${allowed}/inner/../../allowed-not`, '/'].map((cwd) =>
      agent.refused('dsh_start_session', { cwd, prompt: 'say no' }),
    ),
  )
  expect(refusals.map((refusal) => refusal.code)).toEqual(Array(4).fill('directory_not_allowed'))
  expect((await agent.call('dsh_list_sessions'))['total']).toBe(0)
  expect(await agent.call('dsh_start_session', { cwd: join(allowed, 'inner') })).toMatchObject({ created: true })
})

test('a session of the page outside the allowed roots is read but not driven', async () => {
  const { sessionId } = await host.api<{ sessionId: string }>('session.create', { cwd: outside })
  await host.api('session.prompt', { sessionId, mode: 'queue', content: [{ type: 'text', text: 'say from the page' }] })
  expect((await agent.call('dsh_wait_session', { sessionId })).state).toBe('idle')
  expect((await agent.call('dsh_read_session', { sessionId })).items.at(-1)!.text).toBe('from the page')
  const codes = await Promise.all([
    agent.refused('dsh_send_message', { sessionId, message: 'say no' }),
    agent.refused('dsh_fork_session', { sessionId }),
    agent.refused('dsh_run_command', { sessionId, command: '/goal no' }),
    agent.refused('dsh_resume_session', { sessionId }),
  ])
  expect(codes.map((refusal) => refusal.code)).toEqual(Array(4).fill('directory_not_allowed'))
})

test('no way leads beyond the permission limit', async () => {
  const { sessionId } = await agent.call('dsh_start_session', { cwd: allowed })
  const wide = { permissionPreset: 'danger-full-access' }
  const codes = await Promise.all([
    agent.refused('dsh_start_session', { cwd: allowed, ...wide }),
    agent.refused('dsh_update_session', { sessionId, ...wide }),
    agent.refused('dsh_run_command', { sessionId, command: '/permission danger-full-access' }),
    agent.refused('dsh_run_command', { sessionId, command: '/permission   danger-full-access' }),
  ])
  expect(codes.map((refusal) => refusal.code)).toEqual(Array(4).fill('permission_not_allowed'))
  expect(await agent.call('dsh_get_session', { sessionId })).toMatchObject({ permissionPreset: 'workspace-write' })
  const presets = (await agent.call('dsh_list_presets', { kind: 'permission' })) as unknown as {
    permissionPresets: readonly { readonly id: string; readonly allowed: boolean }[]
  }
  expect(presets.permissionPresets.map(({ id, allowed: within }) => [id, within])).toEqual([
    ['read-only', true],
    ['workspace-write', true],
    ['danger-full-access', false],
  ])
})

test('a session that the user gave more is not driven until it is narrowed', async () => {
  const { sessionId } = await host.api<{ sessionId: string }>('session.create', { cwd: allowed })
  await host.api('session.prompt', {
    sessionId,
    mode: 'queue',
    content: [{ type: 'text', text: 'say hello' }],
  })
  await agent.call('dsh_wait_session', { sessionId })
  const before = await agent.call('dsh_update_session', { sessionId, permissionPreset: 'read-only' })
  expect(before['permissionPreset']).toBe('read-only')
  expect((await agent.call('dsh_send_message', { sessionId, message: 'say narrow' })).state).toBe('running')
})

test('an approval is rejected but never allowed from here', async () => {
  const call = JSON.stringify({
    command: 'echo escalated > escalated.txt',
    description: 'escalate',
    sandbox_permissions: 'danger-full-access',
    justification: 'the test wants it',
  })
  const { sessionId, messageId } = await agent.call('dsh_start_session', { cwd: allowed, prompt: `call bash ${call}` })
  const { interactions } = await agent.call('dsh_wait_session', { sessionId, messageId })
  const { interactionId } = interactions[0]!
  const refusal = await agent.refused('dsh_answer_approval', { interactionId, decision: 'allow-once' })
  expect(refusal).toMatchObject({ code: 'permission_not_allowed', message: expect.stringContaining('allowApprovals') })
  await agent.call('dsh_answer_approval', { interactionId, decision: 'reject' })
  expect((await agent.call('dsh_wait_session', { sessionId, messageId })).reason).toBe('completed')
  await expect(readFile(join(allowed, 'escalated.txt'))).rejects.toThrow('ENOENT')
})
