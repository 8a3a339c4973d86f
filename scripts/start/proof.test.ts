import { expect, test } from 'vitest'
import { runProofs } from './proof.ts'

test('a failed and a hanging proof are named, the others still run', async () => {
  const lines: string[] = []
  let aborted = false
  const failed = await runProofs(
    [
      { name: 'good', prove: async () => 'seen' },
      { name: 'bad', prove: () => Promise.reject(new Error('not seen')) },
      {
        name: 'silent',
        prove: (signal) =>
          new Promise(() => {
            signal.addEventListener('abort', () => (aborted = true))
          }),
      },
      { name: 'last', prove: async () => 'seen too' },
    ],
    (line) => lines.push(line),
    50,
  )
  expect(failed).toEqual(['bad', 'silent'])
  expect(aborted).toBe(true)
  expect(lines.map((line) => line.replace(/ \(.*/, ''))).toEqual([
    'ok      good: seen',
    'FAILED  bad: not seen',
    'FAILED  silent: nothing within 0.05 s',
    'ok      last: seen too',
  ])
})
