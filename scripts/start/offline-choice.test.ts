import { expect, test } from 'vitest'
import { chooseCall } from './offline-choice.ts'

const numberPair = {
  type: 'object',
  properties: { a: { type: 'number' }, b: { type: 'number' } },
  required: ['a', 'b'],
}
const message = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] }
const tools = [
  { name: 'bash', description: 'Runs a shell command', parameters: {} },
  { name: 'mcp__everything__echo', description: 'Echoes back the input', parameters: message },
  { name: 'mcp__everything__get-sum', description: 'Returns the sum of two numbers', parameters: numberPair },
]

test.each([
  // the two prompts of the READMEs
  ['what is the sum of 40 and 2?', 'mcp__everything__get-sum', { a: 40, b: 2 }],
  ['40 加 2 等于几', 'mcp__everything__get-sum', { a: 40, b: 2 }],
  ['hello there', 'mcp__everything__echo', { message: 'hello there' }],
  ['call mcp__everything__echo', 'mcp__everything__echo', { message: 'call mcp__everything__echo' }],
])('%s → %s', (prompt, tool, args) => {
  expect(chooseCall(prompt, tools)).toEqual({ tool, arguments: args })
})

test('tools of the harness itself are never chosen', () => {
  expect(chooseCall('run bash', tools.slice(0, 1))).toBeUndefined()
})
