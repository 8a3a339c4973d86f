import { setTimeout as sleep } from 'node:timers/promises'
import { ProtocolError } from '../../../packages/server/src/gateway/index.ts'
import type { CallContext, JsonObject } from '../../../packages/server/src/gateway/index.ts'
import { form, inputRequired, responseTo } from './input-required-tools.ts'
import { show, text } from './tool.ts'
import type { Tool } from './tool.ts'

/** In the legacy era to whoever listens; in 2026-07-28 only to a request that asked for a level. */
function log(context: CallContext, data: string): void {
  const { meta } = context.exchange
  if (context.era !== 'legacy' && meta['io.modelcontextprotocol/logLevel'] === undefined) return
  context.exchange.notify('notifications/message', { level: 'info', logger: 'conformance', data })
}

function progress(context: CallContext, done: number): void {
  const { progressToken } = context.exchange.meta
  if (progressToken === undefined) return
  context.exchange.notify('notifications/progress', { progressToken, progress: done, total: 100 })
}

const logging: Tool = async (_, context) => {
  log(context, 'Tool execution started')
  await sleep(50)
  log(context, 'Tool processing data')
  await sleep(50)
  log(context, 'Tool execution completed')
  return text('Logged three times')
}

const progressing: Tool = async (_, context) => {
  for (const done of [0, 50, 100]) {
    progress(context, done)
    await sleep(50)
  }
  return text('Done')
}

async function elicit(context: CallContext, message: string, requestedSchema: JsonObject): Promise<string> {
  const answer = (await context.exchange.ask('elicitation/create', { message, requestedSchema })) as JsonObject
  return `action=${show(answer.action)}, content=${JSON.stringify(answer.content ?? {})}`
}

const sampling: Tool = async ({ prompt }, { exchange }) => {
  const messages = [{ role: 'user', content: { type: 'text', text: show(prompt) } }]
  const answer = (await exchange.ask('sampling/createMessage', { messages, maxTokens: 100 })) as JsonObject
  return text(`LLM response: ${show((answer.content as JsonObject).text)}`)
}

const elicitation: Tool = async ({ message }, context) => {
  const properties = {
    username: { type: 'string', description: 'Your name' },
    email: { type: 'string', description: 'Your address' },
  }
  const schema = { type: 'object', properties, required: ['username', 'email'] }
  return text(`User response: ${await elicit(context, show(message), schema)}`)
}

const defaults: Tool = async (_, context) => {
  const properties = {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  }
  return text(`Elicitation completed: ${await elicit(context, 'Review the defaults', { type: 'object', properties })}`)
}

const choices = ['First', 'Second', 'Third'].map((title, index) => ({ const: `value${index + 1}`, title }))
const options = ['option1', 'option2', 'option3']

const enums: Tool = async (_, context) => {
  const properties = {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: choices },
    legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: choices } },
  }
  return text(`Elicitation completed: ${await elicit(context, 'Choose', { type: 'object', properties })}`)
}

const streamingElicitation: Tool = (_, context) => {
  progress(context, 50)
  if (responseTo(context, 'go_on') !== undefined) return text('Went on')
  return inputRequired({ go_on: form('Go on?', 'ok', 'boolean') })
}

const missingCapability: Tool = (_, { exchange }) => {
  if (exchange.clientCapabilities.sampling !== undefined) return text('The client samples')
  throw new ProtocolError('missing-client-capability', 'This tool needs the sampling capability', {
    data: { requiredCapabilities: { sampling: {} } },
  })
}

const conditionalLog: Tool = (_, context) => {
  log(context, 'Diagnostic trace')
  return text('Logging evaluated')
}

/** Tools that say something before they answer, or ask. */
export const messageTools: Readonly<Record<string, Tool>> = {
  test_tool_with_logging: logging,
  test_tool_with_progress: progressing,
  test_sampling: sampling,
  test_elicitation: elicitation,
  test_elicitation_sep1034_defaults: defaults,
  test_elicitation_sep1330_enums: enums,
  test_streaming_elicitation: streamingElicitation,
  test_missing_capability: missingCapability,
  test_logging_tool: conditionalLog,
}
