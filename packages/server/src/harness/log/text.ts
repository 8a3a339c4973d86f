/**
 * The first `max` UTF-16 units of `text`, one less where the cut would split a code point. Returns the text itself when
 * it is short enough.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  return text.slice(0, cutPoint(text, max))
}

/** The last `max` UTF-16 units of `text`, one less where the cut would split a code point. */
export function clipStart(text: string, max: number): string {
  if (text.length <= max) return text
  const start = text.length - max
  return text.slice(isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start)
}

function cutPoint(text: string, max: number): number {
  return isLowSurrogate(text.charCodeAt(max)) ? max - 1 : max
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
