import type {
  CallContext,
  InputRequest,
  InputRequired,
  JsonObject,
} from '../../../packages/server/src/gateway/index.ts'
import { isJsonObject } from '../../../packages/server/src/gateway/index.ts'
import { readState, signState } from './signed-state.ts'
import { show, text } from './tool.ts'
import type { Tool } from './tool.ts'

/** A form with one required field. */
export function form(message: string, field: string, type: 'string' | 'boolean' = 'string'): InputRequest {
  const requestedSchema = { type: 'object', properties: { [field]: { type } }, required: [field] }
  return { method: 'elicitation/create', params: { message, requestedSchema } }
}

const sampling = (prompt: string, maxTokens: number): InputRequest => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: prompt } }], maxTokens },
})

const roots: InputRequest = { method: 'roots/list', params: {} }

export function inputRequired(inputRequests: Record<string, InputRequest>, requestState?: string): InputRequired {
  return { resultType: 'input_required', inputRequests, ...(requestState !== undefined && { requestState }) }
}

/** The response to one input request, where it is one that the client gave. */
export function responseTo(context: CallContext, key: string): JsonObject | undefined {
  const response = context.exchange.retry.inputResponses?.[key]
  return isJsonObject(response) ? response : undefined
}

/** One field of an accepted form. */
export function acceptedField(context: CallContext, key: string, field: string): JsonObject[string] {
  const response = responseTo(context, key)
  return response?.action === 'accept' && isJsonObject(response.content) ? response.content[field] : undefined
}

const elicitation: Tool = (_, context) => {
  const name = acceptedField(context, 'user_name', 'name')
  return typeof name === 'string'
    ? text(`Hello, ${name}!`)
    : inputRequired({ user_name: form('What is your name?', 'name') })
}

const samplingTool: Tool = (_, context) => {
  const response = responseTo(context, 'capital_question')
  const content = response?.content
  return isJsonObject(content) && typeof content.text === 'string'
    ? text(content.text)
    : inputRequired({ capital_question: sampling('What is the capital of France?', 100) })
}

const listRoots: Tool = (_, context) => {
  const response = responseTo(context, 'client_roots')
  return Array.isArray(response?.roots)
    ? text(`Roots: ${JSON.stringify(response.roots)}`)
    : inputRequired({ client_roots: roots })
}

const confirmed = (tool: string, done: string): Tool => {
  return (_, context) => {
    const state = readState(tool, context)
    if (state !== undefined && responseTo(context, 'confirm') !== undefined) return text(done)
    return inputRequired({ confirm: form('Please confirm', 'ok', 'boolean') }, signState(tool, { step: 'confirm' }))
  }
}

const multipleInputs: Tool = (_, context) => {
  const tool = 'test_input_required_result_multiple_inputs'
  const state = readState(tool, context)
  const keys = ['user_name', 'greeting', 'client_roots']
  if (state !== undefined && keys.every((key) => responseTo(context, key) !== undefined))
    return text('All inputs received')
  const requests = {
    user_name: form('What is your name?', 'name'),
    greeting: sampling('Generate a greeting', 50),
    client_roots: roots,
  }
  return inputRequired(requests, signState(tool, { step: 'all' }))
}

const multiRound: Tool = (_, context) => {
  const tool = 'test_input_required_result_multi_round'
  const state = readState(tool, context)
  const name = acceptedField(context, 'step1', 'name')
  if (state?.round === 1 && typeof name === 'string') {
    const request = form('Step 2: What is your favorite color?', 'color')
    return inputRequired({ step2: request }, signState(tool, { round: 2, name }))
  }
  const color = acceptedField(context, 'step2', 'color')
  if (state?.round === 2 && typeof color === 'string') return text(`${show(state.name)} likes ${color}`)
  return inputRequired({ step1: form('Step 1: What is your name?', 'name') }, signState(tool, { round: 1 }))
}

const capabilities: Tool = (_, context) => {
  const declared = context.exchange.clientCapabilities
  if (context.exchange.retry.inputResponses !== undefined) return text('capabilities-ok')
  const requests = {
    ...(declared.elicitation !== undefined && { elicit_input: form('Elicitation input', 'value') }),
    ...(declared.sampling !== undefined && { sample_input: sampling('Sample request', 50) }),
  }
  if (Object.keys(requests).length === 0) return text('No supported capability is declared')
  return inputRequired(requests, signState('test_input_required_result_capabilities', { step: 'input' }))
}

/** Tools that ask the client for something and are called again with it. */
export const inputRequiredTools: Readonly<Record<string, Tool>> = {
  test_input_required_result_elicitation: elicitation,
  test_input_required_result_sampling: samplingTool,
  test_input_required_result_list_roots: listRoots,
  test_input_required_result_request_state: confirmed('test_input_required_result_request_state', 'state-ok'),
  test_input_required_result_tampered_state: confirmed('test_input_required_result_tampered_state', 'integrity-ok'),
  test_input_required_result_multiple_inputs: multipleInputs,
  test_input_required_result_multi_round: multiRound,
  test_input_required_result_capabilities: capabilities,
}
