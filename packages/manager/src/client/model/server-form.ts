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
  const { url, authMode, headers, headerEnv, tokenEnv, clientId, clientSecretEnv, scope } = form.http
  return {
    ...common,
    url: url.trim(),
    authMode,
    headers: mapOf(headers),
    headerEnv: mapOf(headerEnv),
    ...(authMode === 'static' ? { tokenEnv: tokenEnv.trim() } : {}),
    // Sent even when empty: a missing field means "keep the old one".
    ...(authMode === 'oauth'
      ? { clientId: clientId.trim(), clientSecretEnv: clientSecretEnv.trim(), scope: scope.trim() }
      : {}),
  }
}
