import { ProtocolError } from '../gateway/index.ts'
import type { CallContext, ResourceContents, ResourceSet } from '../gateway/index.ts'
import { Failure, readPage } from '../harness/index.ts'
import type { Harness } from '../harness/index.ts'
import { detailOf, statusOf, summaryOf } from '../tools/index.ts'
import type { About } from '../tools/index.ts'

const statusUri = 'dsh://status'
const sessionsUri = 'dsh://sessions'
const sessionPrefix = 'dsh://session/'
const mimeType = 'application/json'

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/
const newestSessions = 100
const transcriptPage = { detail: 'messages', limit: 40, maxChars: 24_000, itemMaxChars: 4000 } as const

function sessionIdOf(uri: string): string {
  let id: string
  try {
    id = decodeURIComponent(uri.slice(sessionPrefix.length))
  } catch {
    // Not percent-encoding: no id either.
    id = ''
  }
  if (idPattern.test(id)) return id
  throw new ProtocolError('invalid-params', `"${uri}" does not name a session: an id is ${idPattern.source}`)
}

async function sessions(harness: Harness, signal: AbortSignal) {
  const rows = (await harness.list.all(signal)).filter((row) => row.origin !== 'subagent' && !row.archived)
  const newest = await harness.list.withTitles(rows.slice(0, newestSessions), signal)
  return { total: rows.length, truncated: rows.length > newest.length, sessions: newest.map(summaryOf) }
}

async function session(harness: Harness, sessionId: string, signal: AbortSignal) {
  const { events } = await harness.logs.read(sessionId, signal)
  const { items, firstSeq, lastSeq, hasEarlier, truncated } = readPage(events, transcriptPage)
  const transcript = { items, firstSeq, lastSeq, hasEarlier, truncated }
  return { session: await detailOf(harness, sessionId, signal), transcript }
}

function protocolError(uri: string, failure: Failure): ProtocolError {
  const { code, message, hint } = failure
  const text = `${message}. ${hint}`
  if (code === 'session_not_found')
    return new ProtocolError('resource-not-found', text, { data: { uri }, cause: failure })
  return new ProtocolError('service-unavailable', text, { data: { uri, code }, cause: failure })
}

/** Status, the newest sessions, and one session with the end of its transcript, each as one JSON text. */
export function createResourceSet(harness: Harness, about: About): ResourceSet {
  async function read(uri: string, signal: AbortSignal): Promise<object> {
    if (uri === statusUri) return statusOf(harness, about)
    if (uri === sessionsUri) return sessions(harness, signal)
    if (uri.startsWith(sessionPrefix)) return session(harness, sessionIdOf(uri), signal)
    throw new ProtocolError('resource-not-found', `no resource "${uri}"`, { data: { uri } })
  }

  return {
    list: () => [
      {
        uri: statusUri,
        name: 'status',
        title: 'Harness status',
        description: 'Version, uptime, mounted services, live sessions, pending decisions, defaults.',
        mimeType,
      },
      {
        uri: sessionsUri,
        name: 'sessions',
        title: 'Sessions',
        description: 'The 100 newest sessions, live and stored, without subagents and archived ones.',
        mimeType,
      },
    ],
    templates: () => [
      {
        uriTemplate: `${sessionPrefix}{sessionId}`,
        name: 'session',
        title: 'Session',
        description: 'One session: its state, and the last 40 messages of its transcript.',
        mimeType,
      },
    ],
    async read(uri: string, { signal }: CallContext): Promise<ResourceContents> {
      try {
        const content = { generatedAt: new Date().toISOString(), ...(await read(uri, signal)) }
        return { contents: [{ uri, mimeType, text: JSON.stringify(content) }] }
      } catch (error) {
        if (error instanceof Failure) throw protocolError(uri, error)
        throw error
      }
    },
  }
}
