import { expect, test } from 'vitest'
import { startFailure } from './harness.ts'

test('the innermost reasons are kept, the stack is not', () => {
  const printed = `Error: dsh: plugin tree failed to load
    at boot (file:///x.js:1:1)
  [cause]: Error: invalid config: - bad (at port)
      at y (file:///y.js:2:2)`
  expect(startFailure(printed)).toBe('Error: dsh: plugin tree failed to load\nError: invalid config: - bad (at port)')
})

test('without a reason everything is told', () => {
  expect(startFailure(' killed \n')).toBe('killed')
})
