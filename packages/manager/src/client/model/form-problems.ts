import type { Key } from '../locales/index.ts'
import type { Pair, ServerForm } from './server-form.ts'

/** Fields of the form that can be wrong. Tables name the line: `env.2`. */
export type FieldName = string

/** Field → text that says what is wrong. */
export type FormProblems = Readonly<Record<FieldName, Key>>

const serverName = /^[A-Za-z0-9_-]{1,32}$/
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/
/** `token` of RFC 9110, section 5.6.2. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
/** `NAME` or `NAME:-default` in braces after a dollar sign. */
const reference = /\$\{[^}]*\}/g
const longest = 512

/** What has to be right around the form. */
export interface FormSurroundings {
  /** Names of other servers. */
  readonly taken: ReadonlySet<string>
  /** The server being edited already has a token or its variable. */
  readonly hasToken: boolean
}

/** Everything that is wrong with the form; empty when it can be sent. */
export function problemsOf(form: ServerForm, around: FormSurroundings): FormProblems {
  const problems: Record<FieldName, Key> = {}
  const name = form.name.trim()
  if (name === '') problems['name'] = 'problemRequired'
  else if (!serverName.test(name)) problems['name'] = 'problemName'
  else if (around.taken.has(name)) problems['name'] = 'problemNameTaken'

  const timeout = form.timeout.trim()
  if (timeout !== '' && !(Number.isFinite(Number(timeout)) && Number(timeout) >= 1000)) {
    problems['timeout'] = 'problemTimeout'
  }
  if (form.type === 'stdio') {
    if (form.stdio.command.trim() === '') problems['command'] = 'problemRequired'
    tableProblems('env', form.stdio.env, variableName, 'problemVariableName', problems)
    return problems
  }
  const { url, authMode, tokenEnv, headers, headerEnv } = form.http
  const address = urlProblem(url)
  if (address !== undefined) problems['url'] = address
  tableProblems('headers', headers, headerName, 'problemHeaderName', problems)
  tableProblems('headerEnv', headerEnv, headerName, 'problemHeaderName', problems)
  for (const [index, pair] of headerEnv.entries()) {
    const field = `headerEnv.${index}`
    if (problems[field] === undefined && pair.key.trim() !== '' && !variableName.test(pair.value.trim())) {
      problems[field] = 'problemVariableName'
    }
  }
  if (authMode === 'static') {
    if (tokenEnv.trim() === '') {
      if (!around.hasToken) problems['tokenEnv'] = 'problemRequired'
    } else if (!variableName.test(tokenEnv.trim())) problems['tokenEnv'] = 'problemVariableName'
  }
  if (authMode === 'oauth') oauthProblems(form.http, problems)
  return problems
}

function oauthProblems(http: ServerForm['http'], problems: Record<FieldName, Key>): void {
  const { clientId, scope, oauthGrant } = http
  const isMachine = oauthGrant === 'client_credentials'
  if (clientId.length > longest) problems['clientId'] = 'problemTooLong'
  if (isMachine && clientId.trim() === '') problems['clientId'] = 'problemRequired'
  if (scope.length > longest) problems['scope'] = 'problemTooLong'
  const secret = http.clientSecretEnv.trim()
  const key = http.privateKeyEnv.trim()
  if (secret !== '' && !variableName.test(secret)) problems['clientSecretEnv'] = 'problemVariableName'
  if (!isMachine) return
  if (key !== '' && !variableName.test(key)) problems['privateKeyEnv'] = 'problemVariableName'
  if (secret === '' && key === '') problems['clientSecretEnv'] = 'problemSecretOrKey'
}

function urlProblem(url: string): Key | undefined {
  const text = url.trim()
  if (text === '') return 'problemRequired'
  const plain = text.replace(reference, 'x')
  if (/^\$\{[^}]*\}/.test(text)) return undefined
  if (!/^https?:\/\//i.test(text)) return 'problemUrl'
  return URL.canParse(plain) ? undefined : 'problemUrl'
}

function tableProblems(
  table: string,
  pairs: readonly Pair[],
  pattern: RegExp,
  wrongName: Key,
  problems: Record<FieldName, Key>,
): void {
  const seen = new Set<string>()
  for (const [index, pair] of pairs.entries()) {
    const key = pair.key.trim()
    const field = `${table}.${index}`
    if (key === '') {
      if (pair.value !== '' || pair.keptKey !== undefined) problems[field] = 'problemRequired'
      continue
    }
    if (!pattern.test(key)) problems[field] = wrongName
    else if (seen.has(key)) problems[field] = 'problemTwice'
    else if (pair.keptKey !== undefined && pair.keptKey !== key) problems[field] = 'problemKeptRenamed'
    seen.add(key)
  }
}
