/**
 * A second process on a state file: raises the counter `written.<name>` again and again and prints `written N` once N is
 * on disk. Arguments: path of the state file, name. Ends only by a signal.
 */
import { openStateFile } from '../../packages/manager/src/config/index.ts'

const [, , path = '', name = ''] = process.argv
const state = openStateFile(path, { pollMs: 0 })
for (;;) {
  const count = await state.update((draft) => {
    const written = (draft['written'] ??= {}) as Record<string, number>
    written[name] = (written[name] ?? 0) + 1
    return written[name]
  })
  process.stdout.write(`written ${count}\n`)
}
