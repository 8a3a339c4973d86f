import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { everythingStdio } from '@dsh-mcp/testkit'
import { StartError } from './options.ts'

/** Port of the sample HTTP server when the environment names none. */
export const samplePort = 3907

/** Names of the two sample servers. */
export const sampleNames = ['everything', 'everything-http'] as const

/** The first state file: the reference server twice, over stdio and over Streamable HTTP. */
function sampleState(): object {
  return {
    servers: [
      { id: 'sample-stdio', name: sampleNames[0], type: 'stdio', ...everythingStdio() },
      {
        id: 'sample-http',
        name: sampleNames[1],
        type: 'http',
        url: `http://127.0.0.1:\${SAMPLE_MCP_PORT:-${samplePort}}/mcp`,
        authMode: 'none',
      },
    ],
  }
}

/**
 * Writes the sample state file when the home has none. An existing one is only read: a {@link StartError} names a file
 * that is no JSON object, since a harness without its servers is not what the person asked for.
 */
export async function ensureStateFile(home: string): Promise<'created' | 'kept'> {
  const path = join(home, 'mcp-manager.json')
  await mkdir(home, { recursive: true, mode: 0o700 })
  try {
    await writeFile(path, `${JSON.stringify(sampleState(), null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    return 'created'
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return 'kept'
  } catch (error) {
    throw new StartError(`${path} is not valid JSON. Repair it, or move it away to begin with the samples.`, {
      cause: error,
    })
  }
  throw new StartError(`${path} must hold a JSON object. Repair it, or move it away to begin with the samples.`)
}
