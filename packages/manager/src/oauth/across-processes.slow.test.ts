import { test } from 'vitest'
import { raceProcesses } from './process-race.ts'

test('two processes, 200 expiries: no login lost, no refresh token spent twice', async () => {
  await raceProcesses(200)
}, 1_200_000)
