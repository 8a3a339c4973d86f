import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A `DSH_HOME` of its own; removed when disposed. */
export interface TemporaryHome extends AsyncDisposable {
  readonly path: string
}

/** The onboarding notice of DSH 0.1.0-rc.8 would cover the page; this marks it as read. */
const settings = 'ui-onboarding:\n  welcomeNoticeVersion: 2026-08-13.1\n'

/** Makes an empty home under the system's temporary folder, with the onboarding notice already dismissed. */
export async function temporaryHome(): Promise<TemporaryHome> {
  const path = await mkdtemp(join(tmpdir(), 'dsh-mcp-home-'))
  await writeFile(join(path, 'settings.yaml'), settings, { mode: 0o600 })
  return {
    path,
    async [Symbol.asyncDispose]() {
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
