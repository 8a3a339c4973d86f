import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { eventually } from '../wait.ts'

/** How long a host is given to see a change and to finish the reload before the change is written again, in ms. */
const rewriteAfterMs = 15_000

/** How long a change may take in all, in ms. */
const patienceMs = 90_000

/**
 * Changes the patch layer of the `web` profile of a running host and asks `probe` until the change shows; resolves with
 * what `probe` found and rejects after 90 s with `what`. The file is written again every 15 s: the host (0.1.0-rc.8)
 * misses a change that comes before its watch is ready. It is replaced whole: of a file written in place the host may
 * read a half, and its watch drops a second change within 50 ms.
 */
export async function changeLivePatch<Value>(
  home: string,
  patch: string,
  what: string,
  probe: () => Value | undefined | false | Promise<Value | undefined | false>,
): Promise<Value> {
  const folder = join(home, 'profiles', 'web')
  const file = join(folder, 'cordis.patch.yml')
  await mkdir(folder, { recursive: true })
  let written = -Infinity
  return eventually(
    what,
    async () => {
      if (performance.now() - written > rewriteAfterMs) {
        await writeFile(`${file}.new`, patch)
        await rename(`${file}.new`, file)
        written = performance.now()
      }
      return probe()
    },
    patienceMs,
  )
}
