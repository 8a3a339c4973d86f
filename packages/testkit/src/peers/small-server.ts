import { fileURLToPath } from 'node:url'
import { nodeBinary } from '../host/paths.ts'

const program = fileURLToPath(new URL('small-server.program.mjs', import.meta.url))

/** Command and arguments of a small stdio server with `tools` tools named `tool_1` …, which answer with `name`. */
export function smallServer(name: string, tools = 1): { type: 'stdio'; command: string; args: string[] } {
  return { type: 'stdio', command: nodeBinary, args: [program, name, String(tools)] }
}
