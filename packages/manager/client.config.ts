import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { UserConfig } from 'tsdown'

/** Id under which the host's module loader knows the bundle: the package name. */
const id = '@dsh-mcp/manager'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** Told to the page, so that an old bundle in an open tab notices a newer host half. */
const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }

/** `import css from './x.css'` gives the text of the sheet; the page puts it into the document itself. */
const cssAsText = {
  name: 'css-as-text',
  resolveId(source: string, importer: string | undefined) {
    if (!source.endsWith('.css') || importer === undefined) return undefined
    const path = relative(folder, resolve(dirname(importer), source)).replaceAll('\\', '/')
    return `\0text:${path}?text`
  },
  async load(this: { addWatchFile(path: string): void }, module: string) {
    if (!module.startsWith('\0text:')) return undefined
    const path = join(folder, module.slice('\0text:'.length, -'?text'.length))
    this.addWatchFile(path)
    return { code: `export default ${JSON.stringify(await readFile(path, 'utf8'))}`, moduleType: 'js' as const }
  },
}

/**
 * The browser half: a classic script that hands the host's module loader a CommonJS factory. The loader calls it with a
 * `require` for the modules that the page already has (observed on DSH 0.1.0-rc.8), so those stay outside. Not minified:
 * what runs in the user's page can be read there.
 */
export const clientBuild: UserConfig = {
  cwd: 'packages/manager',
  entry: { client: 'src/client/index.ts' },
  format: 'cjs',
  target: 'es2022',
  outDir: 'lib',
  clean: false,
  dts: false,
  logLevel: 'warn',
  plugins: [cssAsText],
  inputOptions: { platform: 'browser' },
  outExtensions: () => ({ js: '.cjs' }),
  deps: { neverBundle: [/^react(-dom)?(\/|$)/, /^@deepseek-ai\//] },
  define: { 'process.env.NODE_ENV': '"production"', BUNDLE_VERSION: JSON.stringify(version) },
  outputOptions: {
    intro: `window.__ModuleLoader__.load({ id: '${id}', factory: (require) => {
const module = { exports: {} }
const exports = module.exports`,
    outro: 'return module.exports\n} })',
  },
}
