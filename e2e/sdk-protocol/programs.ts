import { fileURLToPath, pathToFileURL } from 'node:url'

/** Paths of the programs that the tests of this folder start. */
const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Node's flags for programs of this repository: our transport in the place of the published one. */
export const swapTransport: readonly string[] = ['--import', pathToFileURL(at('swap-transport.mjs')).href]

export const publishedClient: string = at('published-client.program.ts')
export const publishedServer: string = at('runtimes/published-server.program.ts')
export const smallRuntime: string = at('runtimes/small-runtime.program.ts')
export const newestRuntime: string = at('runtimes/newest-runtime.program.ts')
export const echoRuntime: string = at('runtimes/echo.program.ts')
export const pythonClient: string = at('python_client.py')
