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
