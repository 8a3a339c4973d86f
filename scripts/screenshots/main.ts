import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { repositoryRoot, startEverything, startWebHost, temporaryHome } from '@dsh-mcp/testkit'
import { offlineModelPatch } from '../start/offline-patch.ts'
import { ensureStateFile } from '../start/sample-state.ts'
import { takeChat } from './chat.ts'
import { takeSettings } from './settings.ts'

/** `npm run screenshots`: takes the pictures of the documents anew, in a temporary home. */
const folder = join(repositoryRoot, 'docs', 'images')

await mkdir(folder, { recursive: true })
await using home = await temporaryHome()
await ensureStateFile(home.path)
await using sample = await startEverything()
await using host = await startWebHost({
  home: home.path,
  plugins: ['manager', 'server'],
  model: 'own',
  patches: [offlineModelPatch()],
  env: { SAMPLE_MCP_PORT: String(sample.port) },
})
await takeChat(host, folder)
await takeSettings(folder)
console.log(`Pictures are in ${folder}`)
