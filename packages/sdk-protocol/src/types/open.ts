/**
 * A vocabulary that plugins of the runtime may extend holds its known words as an interface, to which a program can add its
 * own by declaration merging, and beside them {@link Other}: a word that this version does not know is still a value of the
 * type, and is passed on.
 */
export interface Other {
  [member: string]: unknown
}

/** A word of an open list: the known ones are suggested, any other is accepted. */
export type OpenWord<Known extends string> = Known | (string & {})
