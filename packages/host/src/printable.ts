/** Controls other than a line feed and a tab, and characters that change how others are shown (bidi, zero width). */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/**
 * A text of somebody else made safe for a terminal and honest to the eye: control sequences and characters that are not seen
 * are written as `\u{1b}`.
 */
export function printable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(unseen, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}
