/** Characters that are not seen, or change how others are seen: controls, format (bidi, zero width), line separators. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}]/gu

/** A text in which nothing hides: characters that are not seen are written as `\u{202e}`. */
export function visible(text: string): string {
  return text.replace(unseen, (character: string) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
}

/** One word of a command line in quotes, as it will reach the program, with nothing hidden. */
export function shownWord(word: string): string {
  return visible(JSON.stringify(word))
}
