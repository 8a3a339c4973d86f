import { expect, test } from 'vitest'
import { pluginLog } from './log.ts'

test('a line reaches the logger and the reader; an error keeps its cause and its stack', () => {
  const logged: (string | Error)[] = []
  const printed: string[] = []
  const logger = { info: () => undefined, warn: (message: string | Error) => void logged.push(message) }
  const log = pluginLog(logger, 'a-plugin', (text) => void printed.push(text))
  const cause = new Error('the cause')
  log.warn('look here')
  log.warn('it failed', cause)
  expect(logged).toEqual(['a-plugin: look here', new Error('a-plugin: it failed', { cause })])
  expect(printed[0]).toBe('a-plugin: look here\n')
  expect(printed[1]).toContain('a-plugin: it failed\nError: the cause\n    at ')
})
