import type { HostTranslate } from '../host/contract.ts'
import type { Key } from './en.ts'

export { en } from './en.ts'
export type { Key } from './en.ts'
export { zh } from './zh.ts'

/** Namespace of the dictionaries in the host. */
export const namespace = 'mcp'

/** Translates a known key. Texts hold `{name}` where a parameter goes. */
export type Translate = (key: Key, params?: Readonly<Record<string, string | number>>) => string

/** The host's function, limited to keys that exist. */
export function typed(translate: HostTranslate): Translate {
  return translate
}
