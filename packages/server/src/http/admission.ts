import { judgeHost, judgeOrigin } from '@dsh-mcp/host'
import type { ConnectionFence } from '@dsh-mcp/host'
import type { IncomingHttpHeaders } from 'node:http'
import type { Caller } from '../gateway/index.ts'
import { readClientName } from './client-name.ts'
import type { TokenVerdict } from './token.ts'

export type Admission =
  | { readonly admitted: true; readonly caller: Caller }
  | { readonly admitted: false; readonly status: 401 | 403; readonly error: string; readonly message: string }

export interface AdmissionRules {
  readonly checkToken: (headers: IncomingHttpHeaders) => TokenVerdict
  /** Looked up per request: the host may mount its fence at any time. */
  readonly fence: () => ConnectionFence | undefined
  /** Serialized origins under which this deployment is reached from outside. */
  readonly publicOrigins: readonly string[]
}

const unauthorized = {
  admitted: false,
  status: 401,
  error: 'unauthorized',
  message:
    'Send the token of $DSH_HOME/mcp/dsh-mcp-endpoint.json as "Authorization: Bearer <token>" or "x-dsh-mcp-token: <token>".',
} as const

const foreignHost = {
  admitted: false,
  status: 403,
  error: 'forbidden_host',
  message:
    'This Host is neither loopback nor a configured public origin. Add it to "publicOrigins" of the dsh-mcp-server plugin.',
} as const

const foreignOrigin = {
  admitted: false,
  status: 403,
  error: 'forbidden_origin',
  message:
    'This Origin is neither this host, loopback nor a configured public origin. Add it to "publicOrigins" of the ' +
    'dsh-mcp-server plugin, or send the token to the loopback address.',
} as const

/**
 * Decides on a request by its headers alone, whatever its method, before the body is read. A wrong token is refused even
 * where the host's fence would let the caller in; a valid one excuses a foreign `Origin` on loopback, because a foreign web
 * page cannot know it.
 */
export function createAdmission(rules: AdmissionRules): (headers: IncomingHttpHeaders) => Admission {
  const judgeAddress = remember((host, origin, secFetchSite) => ({
    host: judgeHost(host, rules.publicOrigins),
    origin: judgeOrigin({ host, origin, secFetchSite }, rules.publicOrigins),
  }))
  return (headers) => {
    const address = judgeAddress(headers.host, headers.origin, first(headers['sec-fetch-site']))
    if (address.host === 'foreign') return foreignHost
    const token = rules.checkToken(headers)
    if (token === 'wrong') return unauthorized
    const excused = token === 'valid' && address.host === 'loopback'
    if (address.origin === 'foreign' && !excused) return foreignOrigin
    if (token === 'valid') return { admitted: true, caller: caller('token', headers) }
    const fence = rules.fence()
    if (fence === undefined) return unauthorized
    switch (fence.requestRejection({ headers })) {
      case undefined:
        return { admitted: true, caller: caller('connection', headers) }
      case 401:
        return unauthorized
      case 403:
        return {
          admitted: false,
          status: 403,
          error: 'forbidden',
          message: 'The connection fence of the harness refused.',
        }
    }
  }
}

function caller(admittedBy: Caller['admittedBy'], headers: IncomingHttpHeaders): Caller {
  const client = readClientName(first(headers['x-dsh-mcp-client']))
  return client === undefined ? { admittedBy } : { admittedBy, client }
}

function first(value: string | string[] | undefined): string | undefined {
  return typeof value === 'object' ? value[0] : value
}

/** One client sends the same address with every request: the last judgement is kept. */
function remember<T>(judge: (host?: string, origin?: string, secFetchSite?: string) => T): typeof judge {
  let last: { host?: string; origin?: string; secFetchSite?: string; verdict: T } | undefined
  return (host, origin, secFetchSite) => {
    if (last === undefined || last.host !== host || last.origin !== origin || last.secFetchSite !== secFetchSite) {
      last = { host, origin, secFetchSite, verdict: judge(host, origin, secFetchSite) }
    }
    return last.verdict
  }
}
