import { openStateFile } from './open-state-file.ts'

/** Makes `count` parallel edits of the state file, each to a key of its own: `state-edits.program.ts <file> <name> <count>`. */
const [path, name, count] = process.argv.slice(2)
const state = openStateFile(path!, { pollMs: 0 })
await Promise.all(
  Array.from({ length: Number(count) }, (_, index) =>
    state.update(
      (draft) => {
        draft.servers.push({ id: `${name}-${index}`, name: `${name}-${index}`, type: 'stdio', command: 'true' })
        draft[`${name}-${index}`] = index
      },
      { waitMs: 120_000 },
    ),
  ),
)
await state.close()
