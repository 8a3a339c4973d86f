import type { Agent } from '@dsh-mcp/host'
import { z } from 'zod'
import { Failure, serviceUnavailable } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool } from '../definition.ts'
import { sessionId } from '../inputs.ts'
import { state } from '../shapes.ts'
import { reviveForWork } from './revive.ts'

function wordsOf(command: string): readonly string[] {
  return command.slice(1).trim().split(/\s+/)
}

/** `/permission <preset>` sets what the agent may do: the same limit holds as for the permissionPreset argument. */
function requireWithinLimit(harness: Harness, command: string): void {
  const [name, ...words] = wordsOf(command)
  if (name !== 'permission') return
  const known = new Set(harness.host.get('permissionPresets')?.names)
  for (const word of words) if (known.has(word)) harness.policy.requirePreset(word)
}

function unknown(harness: Harness, agent: Agent, command: string): Failure {
  const names =
    harness.host
      .get('commands')
      ?.list(agent)
      .map((each) => `/${each.name}`) ?? []
  return new Failure('command_unknown', `no command "/${wordsOf(command)[0]}" in this session`, {
    hint: `Known: ${names.join(', ')}.`,
    details: { available: names },
  })
}

export const runCommand = defineTool({
  name: 'dsh_run_command',
  title: 'Run command',
  description: 'Execute a slash command such as /compact, /goal, /plan in a session.',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  input: z.strictObject({
    sessionId,
    command: z
      .string()
      .max(20_000)
      .regex(/^\/\S/)
      .describe('With its slash and arguments; dsh_list_tools {include: ["commands"]} lists them'),
    timeoutSeconds: z.int().min(1).max(3600).default(120),
  }),
  output: z.object({
    sessionId: z.string(),
    commandId: z.string(),
    ok: z.boolean(),
    text: z.string().nullable(),
    afterSeq: z.int(),
    state,
  }),
  example: { sessionId: 'session-1', command: '/goal All tests pass' },
  async run({ sessionId: id, command, timeoutSeconds }, { harness, signal }) {
    const commands = harness.host.get('commands')
    if (commands === undefined) throw serviceUnavailable('commands')
    requireWithinLimit(harness, command)
    const { agent } = await reviveForWork(harness, id, signal)
    const afterSeq = agent.session.seq - 1
    const timeout = AbortSignal.timeout(timeoutSeconds * 1000)
    const execution = await commands.execute(agent, command, [], timeout).catch((error: unknown) => {
      const why = timeout.aborted ? `did not end within ${timeoutSeconds} s` : String(error)
      throw new Failure('command_failed', `${command.split(' ')[0]} ${why}`, {
        hint: 'Look at the session with dsh_get_session before you try again.',
        cause: error,
      })
    })
    if (execution === undefined) throw unknown(harness, agent, command)
    const { commandId, result } = execution
    if (result.kind === 'error') {
      throw new Failure('command_failed', result.text ?? `${command.split(' ')[0]} failed`, {
        hint: 'Correct the command, or wait until the session is idle.',
        details: { commandId },
      })
    }
    return {
      sessionId: id,
      commandId,
      ok: true,
      text: result.text ?? null,
      afterSeq,
      state: harness.lookAt(id).state,
    }
  },
})
