/** Verbs that change something. Words that are as often nouns are left out: a name without a verb is serial anyway. */
const writing = new Set(
  (
    'add append apply approve archive assign attach ban buy cancel change clean clear click close configure ' +
    'confirm connect convert copy create cut decline delete deploy destroy detach disable disconnect dismiss ' +
    'download drag drop edit enable enqueue erase exec execute export fill fork generate grant hover import ' +
    'increment init insert install intercept invoke kill launch lock login logout make merge migrate modify ' +
    'mount move mute navigate open overwrite patch pause pay pin play press provision publish purchase purge ' +
    'push put raise reboot redo refresh register reject reload remove rename reopen reorder replace reply reset ' +
    'resize resolve restart restore resume retry revert revoke rollback rotate run save scale select send set ' +
    'share shutdown solve spawn start stop submit subscribe swap switch sync terminate toggle transfer ' +
    'transition trash trigger truncate undo uninstall unlock unmount unpin unsubscribe update upgrade upload ' +
    'upsert wipe withdraw write'
  ).split(' '),
)

const reading = new Set(
  (
    'browse calculate check compare compute count describe diff estimate examine explain fetch find forecast get grep ' +
    'head help inspect info list locate lookup ls measure peek ping preview query read recall retrieve review ' +
    'scan search show stat stats status summarize tail validate verify view whoami'
  ).split(' '),
)

/** Names whose verbs mislead: both only look. */
const lookingOnly = new Set(['proxy_intercept_status', 'analyze_diff'])

/** Parts of a name at `_`, `-`, `.` and camelCase, in lower case. */
const partsOf = (name: string): string[] =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_.-]+/)

/**
 * Whether calls of a tool may overlap. Any writing verb in its name keeps calls one after the other, else a reading verb lets
 * them overlap, else they stay serial. Annotations (MCP 2025-11-25, Server / Tools) come from an untrusted server: they can
 * make a tool serial, and stand in for a verb where the name has none, but never outweigh a writing verb.
 */
export function isConcurrencySafe(rawName: string, annotations?: Readonly<Record<string, unknown>>): boolean {
  if (lookingOnly.has(rawName)) return true
  const parts = partsOf(rawName)
  if (parts.some((part) => writing.has(part))) return false
  if (annotations?.['readOnlyHint'] === false || annotations?.['destructiveHint'] === true) return false
  return parts.some((part) => reading.has(part)) || annotations?.['readOnlyHint'] === true
}
