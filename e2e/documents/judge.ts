import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { help as bridgeHelp } from '../../packages/server/src/bridge/command-line.ts'
import { usage as startUsage } from '../../scripts/start/options.ts'
import { checkout, trackedFiles } from './read.ts'
import type { InlineCode } from './read.ts'
import { codeFor, hasWord } from './sources.ts'

/** `right`, what is wrong, or `undefined`: no rule speaks of it. */
export type Verdict = 'right' | { readonly wrong: string } | undefined

type Rule = (text: string, document: string) => Verdict

const wrong = (text: string): Verdict => ({ wrong: text })
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
  scripts: Readonly<Record<string, string>>
}
const codeOf = (path: string): string => readFileSync(join(checkout, path), 'utf8')

/** Whether the `parseArgs` of a script has this option. */
const takes = (path: string) => (option: string) =>
  new RegExp(`\\b'?${option.slice(2)}'?: \\{ type:`).test(codeOf(path))
const takenByRelease = takes('scripts/release/main.ts')
const takenByFaults = takes('e2e/faults/main.ts')
const takenByBench = takes('bench/src/main.ts')

/** Options of npm scripts, from their parsers; vitest's own are those that CONTRIBUTING shows. */
const scriptOptions: Readonly<Record<string, (option: string) => boolean>> = {
  start: (option) => startUsage.includes(option),
  test: (option) => option === '-t',
  search: takes('bench/src/search/measure.program.ts'),
  bench: takenByBench,
  'test:faults': takenByFaults,
  release: takenByRelease,
}

const command: Rule = (text) => {
  const [, name, rest = ''] = /^npm (?:run )?([\w:]+)(?: -- (.*))?$/.exec(text) ?? []
  if (name === undefined || name === 'install') return undefined
  if (scripts[name] === undefined) return wrong(`package.json has no script "${name}"`)
  const options = rest
    .replaceAll(/[[\]']/g, ' ')
    .split(/\s+/)
    .filter((word) => word.startsWith('-'))
  const unknown = options.filter((option) => scriptOptions[name]?.(option) !== true)
  if (unknown.length > 0) return wrong(`"${name}" takes no ${unknown.join(', ')}`)
  const what = rest.split(' ').find((word) => /^[\w/][\w/-]*$/.test(word))
  if (
    name === 'test' &&
    what !== undefined &&
    !trackedFiles.some((path) => path.includes(what) && /\.test\.tsx?$/.test(path))
  )
    return wrong(`no test has "${what}" in its path`)
  const benches = ['.ts', '/index.ts'].map((end) => join(checkout, 'bench', 'src', `${what}${end}`))
  if (name === 'bench' && what !== undefined && !benches.some((file) => existsSync(file)))
    return wrong(`no bench "${what}"`)
  if (name === 'conformance' && what !== undefined && !existsSync(join(checkout, 'e2e/conformance', what)))
    return wrong(`no suite "${what}"`)
  return 'right'
}

const script: Rule = (text) => {
  const paths = /^node (\S+\.mjs) (\S+\.ts)$/.exec(text)?.slice(1)
  if (paths === undefined) return undefined
  return paths.every((path) => existsSync(join(checkout, path))) ? 'right' : wrong('one of these files is missing')
}

/** The launcher's own help names `web` and `plugin`; what follows `plugin --profile P` is pnpm's. */
const launcher: Rule = (text) => {
  if (!/^(?:npx )?dsh( |$)/.test(text)) return undefined
  if (text === 'npx dsh') return 'right'
  // The form that e2e/packages/release.test.ts installs, from a clone in the place of the remote.
  const tagged = /^dsh plugin --profile web add "github:<owner>\/dsh-mcp#v[\d.]+&path:\/packages\/(?:manager|server)"$/
  if (tagged.test(text)) return 'right'
  const known = /^dsh(?: web| plugin(?: --profile (?:web|headless) (?:add|remove) @dsh-mcp\/(?:manager|server))?)?$/
  return known.test(text) ? 'right' : wrong('not a command of the launcher that is tried in installation.test.ts')
}

const bridge: Rule = (text) => {
  if (!/^dsh-mcp-stdio(?: |$)/.test(text)) return undefined
  const unknown = (text.match(/--[a-z-]+/g) ?? []).filter((option) => !bridgeHelp.includes(option))
  return unknown.length === 0 ? 'right' : wrong(`the bridge takes no ${unknown.join(', ')}`)
}

const option: Rule = (text) => {
  const [name] = /^--?[a-z][a-z-]*/.exec(text) ?? []
  if (name === undefined || text.startsWith('-ing') || text === '-ed') return undefined
  // Of Claude Code and Codex; of the launcher; of vitest.
  const others = ['--env', '--profile', '-t']
  const parsers = [takenByRelease, takenByFaults, takenByBench]
  const ours = startUsage.includes(name) || bridgeHelp.includes(name) || parsers.some((takes) => takes(name))
  return ours || others.includes(name) ? 'right' : wrong('no parser of ours has this option')
}

/** Routes of the manager's API, where `/mcp-manager` and `/api` may be left out, and the server's one. */
const route: Rule = (text, document) => {
  const [, method, target = ''] = /^(GET|POST|PUT|DELETE) (\/\S*)$/.exec(text) ?? []
  if (method === undefined) return undefined
  const place = target
    .replace(/^\/mcp-manager/, '')
    .replace(/^(?:\/api)?\//, '/api/')
    .replaceAll('{id}', ':id')
  const declared = new RegExp(`method: '${method}',\\s+path: '${place}'`).test(codeFor(document))
  return declared || text === 'POST /mcp' ? 'right' : wrong('no such route')
}

/** What the product or a command writes; each is proven by the test behind it. */
const produced = new Set([
  './.dsh', // e2e/start.test.ts
  '~/.dsh',
  'artifacts/', // e2e/documents/installation.test.ts
  'packages/*/lib',
  '$DSH_HOME/mcp-manager.json', // packages/manager/src/config
  '$DSH_HOME/mcp-manager.json.*.draft',
  '$DSH_HOME/mcp-manager.json.refresh.lock',
  '….refresh.lock.reclaim',
  '<workspace>/.dsh/dshmm/mcp.json', // packages/manager/src/workspaces
  '.dsh/dshmm/mcp.json',
  'mcp.json.lock',
  'mcp-manager.json',
  '$DSH_HOME/profiles/web/cordis.patch.yml', // e2e/documents/rows.test.ts
  'cordis.patch.yml',
  '$DSH_HOME/mcp', // packages/server/src/endpoint-file.ts
  '$DSH_HOME/mcp/',
  '$DSH_HOME/mcp/dsh-mcp-endpoint.json',
  '$DSH_HOME/mcp/dsh-mcp-token',
  '$DSH_HOME/mcp/dsh-mcp-*.tmp',
  'dsh-mcp-endpoint.json',
  'dsh-mcp-token',
])

const path: Rule = (text, document) => {
  if (produced.has(text)) return 'right'
  if (/^(?:\$DSH_HOME|<workspace>|~|\.)\//.test(text)) return wrong('not in the list of what is produced')
  const looksLikeOne = /^(?:[\w@.*-]+\/)+[\w@.*-]*$|^[\w.-]+\.(?:ts|tsx|md|json|jsonl|yml)$/.test(text)
  // Methods and media types have a slash too; a path without a dot begins with a folder of ours.
  const isName = !text.includes('.') && !text.endsWith('/') && !/^(?:docs|e2e|packages|scripts|bench)\//.test(text)
  if (!looksLikeOne || isName || text.startsWith('@')) return undefined
  if (existsSync(join(checkout, text)) || existsSync(join(checkout, dirname(document), text))) return 'right'
  const pattern = new RegExp(
    `(?:^|/)${text.replaceAll('.', String.raw`\.`).replaceAll('*', '[^/]*')}${text.endsWith('/') ? '' : '$'}`,
  )
  return trackedFiles.some((file) => pattern.test(file)) ? 'right' : wrong('no such file')
}

/** Words of the code: names of tools, keys, methods, variables, types, codes, each in the code the document speaks of. */
const word: Rule = (text, document) => {
  const code = codeFor(document)
  const name = text.replace(/^\$(?=[A-Z])/, '').replace(/\?$|\(\)$/, '')
  if (!/^[@\w$/][\w$./:@-]*$|^-\d+$/.test(name)) return undefined
  return name.length > 1 && hasWord(code, name) ? 'right' : undefined
}

/** Packages that one of our manifests asks for. */
const dependency: Rule = (text) => {
  if (!/^(?:@[\w-]+\/)?[\w.-]+$/.test(text)) return undefined
  const manifests = trackedFiles.filter((file) => file.endsWith('package.json')).map(codeOf)
  return manifests.some((manifest) => manifest.includes(`"${text}"`)) ? 'right' : undefined
}

/** Names of header fields and HTTP methods, which code writes in its own case. */
const header: Rule = (text, document) => {
  const [, name] = /^([A-Z][A-Za-z]*(?:-[A-Z][A-Za-z]*)*)(?:-\*|: .*)?$/.exec(text) ?? []
  if (name === undefined) return undefined
  return codeFor(document).toLowerCase().includes(name.toLowerCase()) ? 'right' : undefined
}

/** Messages, calls, pairs and pieces of JSON: every part between the places that differ stands in the code. */
const pieces: Rule = (text, document) => {
  const code = codeFor(document)
  if (!/[\s{}(),:=[\]"…<>|.]/.test(text)) return undefined
  if (code.includes(text)) return 'right'
  const message = text
    .split(/…|<[^>]+>|\$\{[^}]+\}|"[^"]*"|\b[NX]\b/)
    .map((part) => part.trim())
    .filter((part) => /\w/.test(part))
  if (message.length > 0 && message.every((part) => code.includes(part))) return 'right'
  // A sentence has to stand there as it is; of a piece of code each name has to.
  if (!/[{}()[\]:=<>|"]|^\S+$/.test(text)) return undefined
  const words = text.match(/[A-Za-z_][\w-]*/g) ?? []
  return words.length > 0 && words.every((one) => hasWord(code, one)) ? 'right' : undefined
}

const rules: readonly Rule[] = [
  command,
  script,
  launcher,
  bridge,
  option,
  route,
  word,
  path,
  dependency,
  header,
  pieces,
]

/** Judges a piece of inline code by the first rule that speaks of it. */
export function judge({ text, document }: InlineCode): Verdict {
  for (const rule of rules) {
    const verdict = rule(text, document)
    if (verdict !== undefined) return verdict
  }
  return undefined
}
