import { judgeHost, judgeOrigin, type ConnectionFence } from '@dsh-mcp/host'
import { ApiError } from './errors.ts'

/**
 * Who may use a route. `page`: the Settings page and programs of this machine. `anyone-here`: whoever reaches the server by
 * one of its own names, for liveness. `redirect`: a browser that comes back from an identity provider, which no origin rule
 * can tell from a foreign page; such a route lives by its single-use state.
 */
export type Access = 'page' | 'anyone-here' | 'redirect'

export interface FenceSettings {
  /** Serialized origins under which a proxy serves the harness. */
  readonly publicOrigins: readonly string[]
  /** The host's own login, where it has one; asked at each request. */
  readonly connection: () => ConnectionFence | undefined
}

const plainHeaders = (headers: Headers): Record<string, string> => Object.fromEntries(headers.entries())

/**
 * Refuses a request that did not come from where its route allows.
 * @throws {ApiError} 401 or 403, with the reason and what to do.
 */
export function checkFence(request: Request, access: Access, settings: FenceSettings): void {
  const host = request.headers.get('host') ?? undefined
  const hostVerdict = judgeHost(host, settings.publicOrigins)
  if (hostVerdict === 'foreign') {
    throw new ApiError(
      403,
      'Host is not this machine: open DSH by its loopback address or add the origin to publicOrigins',
    )
  }
  if (access !== 'page') return
  const site = request.headers.get('sec-fetch-site') ?? undefined
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new ApiError(403, `refused: the request comes from another site (Sec-Fetch-Site: ${site.slice(0, 20)})`)
  }
  const origin = request.headers.get('origin') ?? undefined
  // behind a proxy the scheme counts too: a page on http:// is not the one on https://
  const own = hostVerdict === 'loopback' && host !== undefined ? { host } : {}
  const verdict = judgeOrigin(
    { ...own, ...(origin !== undefined && { origin }), ...(site !== undefined && { secFetchSite: site }) },
    settings.publicOrigins,
  )
  if (verdict === 'foreign' || verdict === 'loopback') {
    throw new ApiError(403, 'refused: the request comes from a page of another origin')
  }
  const rejection = settings.connection()?.requestRejection({ headers: plainHeaders(request.headers) })
  if (rejection === 401) throw new ApiError(401, 'not logged in to DSH: open the address that dsh web printed')
  if (rejection !== undefined) throw new ApiError(rejection, 'refused by DSH: the request is not from its own page')
}
