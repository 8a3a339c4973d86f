import { ApiError } from './errors.ts'

/** What stands for a value of `env` or `headers` in every answer. */
export const mask = '••••'

type Values = Readonly<Record<string, string>>

/** A value that is nothing but a reference to the environment is no secret and is shown. */
export const isReference = (value: string): boolean => /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(value)

/** The names with masked values. */
export const maskValues = (values: Values): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === '' || isReference(value) ? value : mask]),
  )

/** Names of query parameters whose value is a credential, or likely one. */
const secretParameter = /key|token|secret|passw|pwd|auth|sig|credential|jwt/i
const userInfo = /^(https?:\/\/)([^/?#@]*(?:@[^/?#@]*)*)@/i
const parameter = /([?&])([^=&#\s]+)=([^&#\s]*)/g

/** An address with its user and password, and the values of parameters that look like credentials, replaced. */
export function replaceSecretsInUrl(url: string, put: (name: string, value: string) => string): string {
  const shown = (name: string, value: string): string => (value === '' || isReference(value) ? value : put(name, value))
  return url
    .replace(userInfo, (_, scheme: string, value: string) => `${scheme}${shown('user', value)}@`)
    .replace(parameter, (whole, mark: string, name: string, value: string) =>
      secretParameter.test(name) ? `${mark}${name}=${shown(name, value)}` : whole,
    )
}

/** An address as every answer shows it. */
export const maskUrl = (url: string): string => replaceSecretsInUrl(url, () => mask)

const hostOf = (url: string): string | undefined => URL.parse(url.replace(userInfo, '$1'))?.host

/**
 * Puts the stored credentials back into an address a form returns; only on the host they are for.
 * @throws {ApiError} 400 when there is nothing stored for a masked part, or the host is another.
 */
export function unmaskUrl(given: unknown, old: unknown): unknown {
  if (typeof given !== 'string' || !given.includes(mask)) return given
  const stored = new Map<string, string>()
  if (typeof old === 'string' && hostOf(old) === hostOf(given)) {
    replaceSecretsInUrl(old, (name, value) => {
      stored.set(name, value)
      return value
    })
  }
  const url = replaceSecretsInUrl(given, (name, value) => (value === mask ? (stored.get(name) ?? mask) : value))
  if (!url.includes(mask)) return url
  throw new ApiError(400, `url: ${mask} stands for what is stored for this host, but there is nothing: enter it`, 'url')
}

/**
 * Puts old values back where a form returns the mask.
 * @throws {ApiError} 400 when there is no old value under that name.
 */
export function unmaskValues(field: string, given: unknown, old: Values): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
  return Object.fromEntries(
    Object.entries(given as Record<string, unknown>).map(([name, value]) => {
      if (value !== mask) return [name, value]
      if (Object.hasOwn(old, name)) return [name, old[name]]
      throw new ApiError(
        400,
        `${field}.${name}: ${mask} stands for a stored value, but there is none of this name`,
        field,
      )
    }),
  )
}
