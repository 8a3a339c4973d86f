import { changeLivePatch } from '@dsh-mcp/testkit'
import { expect, test } from 'vitest'
import { useScene } from './scene.ts'

const scene = useScene('gateway-reload')

/** A shell call that the sandbox makes ask for approval. */
const escalation = JSON.stringify({
  command: 'echo escalated',
  description: 'escalate',
  sandbox_permissions: 'danger-full-access',
  justification: 'to test',
})

test("decisions reach the client again after the page's gateway was switched off and on in the running host", async () => {
  const patch = (rows: readonly object[], mounted: boolean): Promise<unknown> =>
    changeLivePatch(scene.home.path, JSON.stringify(rows), `the gateway is ${mounted ? 'on' : 'off'}`, async () => {
      const { services } = await scene.agent.call('dsh_get_status')
      return (services as Readonly<Record<string, boolean>>)['apiProxy'] === mounted
    })
  await patch([{ id: 'api-gateway', disabled: true }], false)
  await patch([], true)

  const { sessionId, messageId } = await scene.start(`call bash ${escalation}\nsay Done.`)
  const asked = await scene.wait(sessionId, { messageId })
  expect(asked).toMatchObject({ reason: 'needs-input', interactions: [{ kind: 'approval', sessionId }] })
  const { interactionId } = asked.interactions[0]!
  await scene.agent.call('dsh_answer_approval', { interactionId, decision: 'allow-once' })
  expect(await scene.wait(sessionId, { messageId })).toMatchObject({ reason: 'completed', reply: { text: 'Done.' } })
}, 240_000)
