import { expect, test } from 'vitest'
import { StderrTail } from './stderr-tail.ts'

test('keeps the last 2 000 characters of any amount', () => {
  const tail = new StderrTail()
  for (let line = 0; line < 100_000; line++) tail.push(Buffer.from(`line ${line}\n`))
  const text = tail.text((all) => all)
  expect(text).toHaveLength(2000)
  expect(text.endsWith('line 99999')).toBe(true)
})

test('a secret at the cut is redacted as a whole', () => {
  const tail = new StderrTail()
  const secret = 'swordfish-swordfish'
  tail.push(Buffer.from(`${secret}${'x'.repeat(1990)}`))
  expect(tail.text((all) => all.replaceAll(secret, '***'))).toBe(`***${'x'.repeat(1990)}`)
})
