// Puts our build in the place of the published transport, for every importer: `node --import <this file> program`.
// Says so on stderr, once for each importing package, so that a test can see that it happened.
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

const published = '@deepseek-ai/dsh-sdk-protocol'
const ours = pathToFileURL(join(import.meta.dirname, '..', '..', 'packages', 'sdk-protocol', 'lib', 'index.mjs')).href

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== published) return next(specifier, context)
    const importer = /@deepseek-ai\/(dsh-[\w-]+)\/lib\//.exec(context.parentURL ?? '')?.[1] ?? context.parentURL
    process.stderr.write(`transport under test imported by ${importer}\n`)
    return { url: ours, shortCircuit: true }
  },
})
