import { eventually, processesWith } from '@dsh-mcp/testkit'
import type { Scene } from './scene.ts'

/** Kills the harness of a scene as a crash would, sees that its servers end too, and starts another on the same home. */
export async function killHost(scene: Scene): Promise<void> {
  await scene.host().kill()
  await eventually(
    'the servers ended with their harness',
    async () => (await processesWith(scene.mark)).length === 0,
    20_000,
  )
  await scene.restart()
}
