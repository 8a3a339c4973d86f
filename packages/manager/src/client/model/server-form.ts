import type { ServerView } from '../../web/api-types.ts'

/** What the API sends in place of a value that may be a secret, and takes back as "keep the old value". */
export const mask = '••••'

/** A line of a name-and-value table. `keptKey` is set while the stored value of that name is kept. */
export interface Pair {
  readonly key: string
  readonly value: string
  readonly keptKey?: string
}

/** Where a server is declared: for every workspace, or in the file of one. */
export type FormScope = { readonly kind: 'global' } | { readonly kind: 'workspace'; readonly path: string }

/** Everything the form holds. Both kinds are kept, so that switching between them loses nothing. */
export interface ServerForm {
  readonly scope: FormScope
  readonly name: string
  readonly type: 'stdio' | 'http'
  /** Milliseconds, as typed; empty inherits. */
  readonly timeout: string
  readonly stdio: {
    readonly command: string
    /** One argument a line. */
    readonly args: string
    readonly env: readonly Pair[]
    readonly cwd: string
  }
  readonly http: {
    readonly url: string
    readonly authMode: 'oauth' | 'static' | 'none'
    readonly tokenEnv: string
    readonly clientId: string
    readonly clientSecretEnv: string
    readonly scope: string
    readonly oauthGrant: 'authorization_code' | 'client_credentials'
    readonly oauthResource: boolean
    readonly privateKeyEnv: string
    /** Empty inherits the default. */
    readonly privateKeyAlgorithm: string
    readonly headers: readonly Pair[]
    readonly headerEnv: readonly Pair[]
  }
}

/** An empty form for a new server. */
export function emptyForm(scope: FormScope): ServerForm {
  return {
    scope,
    name: '',
    type: 'http',
    timeout: '',
    stdio: { command: '', args: '', env: [], cwd: '' },
    http: {
      url: '',
      authMode: 'oauth',
      tokenEnv: '',
      clientId: '',
      clientSecretEnv: '',
      scope: '',
      oauthGrant: 'authorization_code',
      oauthResource: true,
      privateKeyEnv: '',
      privateKeyAlgorithm: '',
      headers: [],
      headerEnv: [],
    },
  }
}

/** The form of a stored server. Masked values become kept ones: the page never has them. */
export function formOf(view: ServerView, scope: FormScope): ServerForm {
  const empty = emptyForm(scope)
  return {
    ...empty,
    name: view.name,
    type: view.type,
    timeout: view.timeout === undefined ? '' : String(view.timeout),
    stdio: {
      command: view.command ?? '',
      args: (view.args ?? []).join('\n'),
      env: pairsOf(view.env),
      cwd: view.cwd ?? '',
    },
    http: {
      url: view.url ?? '',
      authMode: view.authMode ?? 'oauth',
      tokenEnv: view.tokenEnv ?? '',
      clientId: view.clientId ?? '',
      clientSecretEnv: view.clientSecretEnv ?? '',
      scope: view.scope ?? '',
      oauthGrant: view.oauthGrant ?? 'authorization_code',
      oauthResource: view.oauthResource ?? true,
      privateKeyEnv: view.privateKeyEnv ?? '',
      privateKeyAlgorithm: view.privateKeyAlgorithm ?? '',
      headers: pairsOf(view.headers),
      headerEnv: pairsOf(view.headerEnv),
    },
  }
}

function pairsOf(map: Readonly<Record<string, string>> | undefined): Pair[] {
  return Object.entries(map ?? {}).map(([key, value]) =>
    value.includes(mask) ? { key, value: '', keptKey: key } : { key, value },
  )
}

function mapOf(pairs: readonly Pair[]): Record<string, string> {
  const filled = pairs.filter((pair) => pair.key.trim() !== '')
  return Object.fromEntries(filled.map((pair) => [pair.key.trim(), pair.keptKey === undefined ? pair.value : mask]))
}

/** The body of the API for a form that has no problems: only fields of the chosen kind. */
export function bodyOf(form: ServerForm): Record<string, unknown> {
  const common = {
    name: form.name.trim(),
    type: form.type,
    ...(form.timeout.trim() === '' ? {} : { timeout: Number(form.timeout) }),
  }
  if (form.type === 'stdio') {
    const { command, args, env, cwd } = form.stdio
    const lines = args.split('\n').map((line) => line.replace(/\r$/, ''))
    return {
      ...common,
      command: command.trim(),
      args: lines.filter((line) => line.trim() !== ''),
      env: mapOf(env),
      ...(cwd.trim() === '' ? {} : { cwd: cwd.trim() }),
    }
  }
  const { url, authMode, headers, headerEnv, tokenEnv } = form.http
  return {
    ...common,
    url: url.trim(),
    authMode,
    headers: mapOf(headers),
    headerEnv: mapOf(headerEnv),
    ...(authMode === 'static' ? { tokenEnv: tokenEnv.trim() } : {}),
    // Sent even when empty: a missing field means "keep the old one".
    ...(authMode === 'oauth' ? oauthOf(form.http) : {}),
  }
}

/** Whether the form describes a server that a person logs in to in the browser. */
export function personLogsIn({ type, http }: ServerForm): boolean {
  return type === 'http' && http.authMode === 'oauth' && http.oauthGrant === 'authorization_code'
}

function oauthOf(http: ServerForm['http']): Record<string, unknown> {
  const { clientId, clientSecretEnv, scope, oauthGrant, oauthResource, privateKeyEnv, privateKeyAlgorithm } = http
  return {
    clientId: clientId.trim(),
    clientSecretEnv: clientSecretEnv.trim(),
    scope: scope.trim(),
    oauthGrant,
    oauthResource,
    // Not shown for a person's login, so what is stored is left alone.
    ...(oauthGrant === 'client_credentials' ? { privateKeyEnv: privateKeyEnv.trim(), privateKeyAlgorithm } : {}),
  }
}
