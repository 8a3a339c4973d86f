import { expect, test } from 'vitest'
import { hostSettled } from './context.ts'

test('waits for the loader, with its own receiver', async () => {
  const loader = {
    settled: false,
    await(): Promise<void> {
      this.settled = true
      return Promise.resolve()
    },
  }
  await hostSettled({ get: (name) => (name === 'loader' ? loader : undefined) })
  expect(loader.settled).toBe(true)
})

test('a host without a loader has settled', async () => {
  await expect(hostSettled({ get: () => undefined })).resolves.toBeUndefined()
  await expect(hostSettled({ get: () => ({}) })).resolves.toBeUndefined()
})
