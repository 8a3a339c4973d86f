/** A text with its references replaced, and the names that had neither a value nor a default. */
export interface Expansion {
  readonly value: string
  readonly missing: readonly string[]
}

const reference = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g

/**
 * Replaces `${NAME}` and `${NAME:-default}` by the environment; `$${` stands for a plain `${`. As in a shell, the default
 * also stands in for an empty value. A name without value and default becomes empty and is reported.
 */
export function expandReferences(text: string, environment: Readonly<Record<string, string | undefined>>): Expansion {
  const missing: string[] = []
  const value = text.replace(reference, (match: string, name: string | undefined, fallback: string | undefined) => {
    if (match === '$${') return '${'
    const found = name === undefined ? undefined : environment[name]
    if (found !== undefined && (found !== '' || fallback === undefined)) return found
    if (fallback === undefined && name !== undefined) missing.push(name)
    return fallback ?? ''
  })
  return { value, missing }
}
