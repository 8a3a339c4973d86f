import { expect, test } from 'vitest'
import { onceMore } from './once-more.ts'

test('calls that come during a run give one more run, which begins after it', async () => {
  const ends: (() => void)[] = []
  const run = onceMore(() => new Promise((resolve) => ends.push(resolve)))
  for (let call = 0; call < 5; call++) run()
  expect(ends).toHaveLength(1)
  ends[0]!()
  await expect.poll(() => ends.length).toBe(2)
  ends[1]!()
  await new Promise(setImmediate)
  expect(ends).toHaveLength(2)
  run()
  expect(ends).toHaveLength(3)
})
