import { readJson } from './body.ts'
import { emptyNotFound, errorResponse, jsonResponse } from './errors.ts'
import { checkFence, type Access, type FenceSettings } from './fence.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** What a handler gets to work with. */
export interface Call {
  readonly request: Request
  /** Values of the `:name` parts of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** The JSON body; `{}` without one. */
  readonly body: Readonly<Record<string, unknown>>
  /** Aborts when the caller went away. */
  readonly signal: AbortSignal
}

export interface Route {
  readonly method: Method
  /** Below the prefix: `/api/servers/:id`. */
  readonly path: string
  /** `page` unless said otherwise. */
  readonly access?: Access
  /** Whether a JSON body is read. Routes without one ignore what is sent. */
  readonly body?: boolean
  /** A plain value is answered as JSON with status 200. */
  readonly handle: (call: Call) => unknown
}

/** First part of every path. */
export const prefix = '/mcp-manager'

interface Match {
  readonly route: Route
  readonly params: Record<string, string>
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index]!
    if (!part.startsWith(':')) {
      if (part !== value) return undefined
      continue
    }
    // ids are [A-Za-z0-9_-]+; anything else is no id and no path of ours
    if (!/^[A-Za-z0-9_-]+$/.test(value)) return undefined
    params[part.slice(1)] = value
  }
  return params
}

function matches(routes: readonly Route[], path: string): Match[] {
  return routes.flatMap((route) => {
    const params = matchPath(route.path, path)
    return params === undefined ? [] : [{ route, params }]
  })
}

/** Fixed paths win over those with parameters. */
const bySpecificity = (left: Match, right: Match): number =>
  Object.keys(left.params).length - Object.keys(right.params).length

/** The whole API as one function. Never rejects: every failure is an answer that says why. */
export function createRouter(
  routes: readonly Route[],
  settings: FenceSettings,
): (request: Request) => Promise<Response> {
  return async (request) => {
    try {
      const { pathname } = new URL(request.url)
      const path = pathname.startsWith(`${prefix}/`) ? pathname.slice(prefix.length) : pathname
      const found = matches(routes, path).toSorted(bySpecificity)
      if (found.length === 0) return emptyNotFound()
      const match = found.find(({ route }) => route.method === request.method)
      if (match === undefined) {
        checkFence(request, 'page', settings)
        const allow = [...new Set(found.map(({ route }) => route.method))].join(', ')
        return jsonResponse({ error: `use ${allow}` }, 405, { allow })
      }
      const { route, params } = match
      checkFence(request, route.access ?? 'page', settings)
      const body = route.body === true ? await readJson(request) : {}
      const answer: unknown = await route.handle({ request, params, body, signal: request.signal })
      return answer instanceof Response ? answer : jsonResponse(answer)
    } catch (error) {
      return errorResponse(error)
    }
  }
}
