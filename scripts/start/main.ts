import { fileURLToPath } from 'node:url'
import { proveItWorks } from './check.ts'
import { readOptions, StartError } from './options.ts'
import { serve } from './serve.ts'

/** `npm start`, `npm start -- --check`. */
const root = fileURLToPath(new URL('../..', import.meta.url))

try {
  const options = readOptions(process.argv.slice(2), root)
  process.exitCode = options.check ? await proveItWorks() : await serve(options)
} catch (error) {
  if (!(error instanceof StartError)) throw error
  console.error(`dsh-mcp: ${error.message}`)
  process.exitCode = 1
}
