import { expect, test } from 'vitest'
import { defaults, readConfig } from './plugin-config.ts'

test.each([[undefined], [null], [{}], ['text'], [{ unknown: 1 }]])('%j gives the defaults', (input) => {
  expect(readConfig(input)).toEqual(defaults)
})

test('values as people write them', () => {
  expect(
    readConfig({
      publicOrigins: 'https://a.example',
      toolCallTimeoutMs: '90000',
      firstConnectWaitMs: 0,
      askBeforeWorkspaceCommands: true,
    }),
  ).toEqual({
    publicOrigins: ['https://a.example'],
    toolCallTimeoutMs: 90_000,
    firstConnectWaitMs: 0,
    askBeforeWorkspaceCommands: true,
    problems: [],
  })
})

test.each([['yes'], [1], ['true'], [[]]])('a switch for safety that reads %j is on, and told of', (value) => {
  const config = readConfig({ askBeforeWorkspaceCommands: value })
  expect(config.askBeforeWorkspaceCommands).toBe(true)
  expect(config.problems).toEqual(['config.askBeforeWorkspaceCommands must be true or false; using true'])
})

test('a wrong value is told of and its default stands in', () => {
  const config = readConfig({ toolCallTimeoutMs: 'soon', firstConnectWaitMs: -1, publicOrigins: [1] })
  expect(config).toMatchObject({ ...defaults, problems: expect.any(Array) })
  expect(config.problems).toHaveLength(3)
  expect(config.problems[0]).toContain('publicOrigins')
})
