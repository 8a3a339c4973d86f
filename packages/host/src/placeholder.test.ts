import { expect, test } from 'vitest'
import { placeholder } from './index.ts'

test('the placeholder stands', () => {
  expect(placeholder).toBe(true)
})
