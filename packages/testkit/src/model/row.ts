import { fileURLToPath } from 'node:url'

/** The plugin that mounts the scripted model in any harness, to be loaded by path. It writes to `$DSH_HOME`. */
export const scriptedModelRow: string = fileURLToPath(new URL('test-row.program.ts', import.meta.url))
