import { kindOf, oauthMembers, readMap, readTimeout, type StateServerRecord } from '../config/index.ts'
import { unmaskUrl, unmaskValues } from './mask.ts'

const httpFields = ['url', 'authMode', 'headers', 'headerEnv', 'tokenEnv', 'staticToken', ...oauthMembers, 'oauth']
const stdioFields = ['command', 'args', 'env', 'cwd']
/** What a request may set; anything else it holds is not for the record. */
const settable = [
  'name',
  'type',
  'enabled',
  'timeout',
  'url',
  'authMode',
  'headers',
  'headerEnv',
  'tokenEnv',
  ...oauthMembers,
  'command',
  'args',
  'env',
  'cwd',
] as const

type Body = Readonly<Record<string, unknown>>

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === ''

const textMap = (value: unknown): Record<string, string> => {
  const map = readMap(value)
  if (typeof map !== 'object' || map === null) return {}
  return Object.fromEntries(
    Object.entries(map).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const modeOf = (value: unknown): 'oauth' | 'static' | 'none' =>
  value === 'static' || value === 'none' ? value : 'oauth'

const grantOf = (value: unknown): 'authorization_code' | 'client_credentials' =>
  value === 'client_credentials' ? value : 'authorization_code'

/** Values that mean the same as leaving the field out, and are not written. */
const isDefault = (field: string, value: unknown): boolean =>
  (field === 'oauthGrant' && value === 'authorization_code') || (field === 'oauthResource' && value === true)

function given(body: Body): StateServerRecord {
  const record: StateServerRecord = {}
  for (const field of settable) if (body[field] !== undefined && body[field] !== null) record[field] = body[field]
  return record
}

/** Drops what does not belong to the kind of server: fields of the other transport and of other ways to log in. */
function trim(record: StateServerRecord): StateServerRecord {
  const type = kindOf(record)
  const wrong = new Set<string>(type === 'stdio' ? httpFields : stdioFields)
  if (type !== 'stdio') {
    const mode = modeOf(record['authMode'])
    if (mode !== 'static') for (const field of ['tokenEnv', 'staticToken']) wrong.add(field)
    if (mode !== 'oauth') for (const field of [...oauthMembers, 'oauth']) wrong.add(field)
  }
  const blank = new Set<string>(['cwd', 'tokenEnv', ...oauthMembers])
  if (readTimeout(record['timeout']) === undefined) wrong.add('timeout')
  return Object.fromEntries(
    Object.entries(record).filter(
      ([field, value]) => !wrong.has(field) && !(blank.has(field) && isBlank(value)) && !isDefault(field, value),
    ),
  )
}

/** What of a request counts as not set, in words: a value that is no budget is no reason to refuse the rest. */
export function notesOn(body: Body): readonly string[] {
  const { timeout } = body
  if (isBlank(timeout) || readTimeout(timeout) !== undefined) return []
  return [`timeout: ${JSON.stringify(timeout).slice(0, 100)} is not used: give milliseconds, at least 1000`]
}

/** The record of a new server. @throws {ApiError} 400 when a value is the mask. */
export function newRecord(body: Body): StateServerRecord {
  const record = given(body)
  if (record['url'] !== undefined) record['url'] = unmaskUrl(record['url'], undefined)
  if (record['env'] !== undefined) record['env'] = unmaskValues('env', readMap(record['env']), {})
  if (record['headers'] !== undefined) record['headers'] = unmaskValues('headers', readMap(record['headers']), {})
  return trim(record)
}

/**
 * The record after a full replacement: keys this plugin does not know stay, the name defaults to the old one, masked values
 * and OAuth fields left out keep what is stored, and a login that no longer fits is dropped.
 * @throws {ApiError} 400 when a masked value has nothing behind it.
 */
export function replacedRecord(old: StateServerRecord, body: Body): StateServerRecord {
  const fields = given(body)
  const record: StateServerRecord = { ...old }
  for (const field of settable) if (field !== 'name' && field !== 'enabled') delete record[field]
  Object.assign(record, fields)
  for (const field of oauthMembers)
    if (isBlank(body[field]) && body[field] !== '' && old[field] !== undefined) record[field] = old[field]
  if (isBlank(body['tokenEnv']) && old['tokenEnv'] !== undefined) record['tokenEnv'] = old['tokenEnv']
  if (fields['url'] !== undefined) record['url'] = unmaskUrl(fields['url'], old['url'])
  for (const field of ['env', 'headers'] as const) {
    if (fields[field] !== undefined) record[field] = unmaskValues(field, readMap(fields[field]), textMap(old[field]))
  }
  if (!isBlank(record['tokenEnv'])) delete record['staticToken']
  const isOtherKind = kindOf(old) !== kindOf(record) || modeOf(old['authMode']) !== modeOf(record['authMode'])
  const isOtherClient = ['clientId', 'clientSecretEnv'].some((field) => (old[field] ?? '') !== (record[field] ?? ''))
  const isOtherGrant = grantOf(old['oauthGrant']) !== grantOf(record['oauthGrant'])
  if (isOtherKind || isOtherClient || isOtherGrant || old['url'] !== record['url']) delete record['oauth']
  return trim(record)
}
