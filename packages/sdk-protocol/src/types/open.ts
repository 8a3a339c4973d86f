/**
 * A vocabulary that plugins of the runtime may extend holds its known words as an interface, to which a program can add its
 * own by declaration merging. Beside them stands this: a word that this version does not know is a value of the type all the
 * same, whatever else it carries, and is passed on. `Key` names the member that holds the word.
 */
export type Other<Key extends string> =
  | { [Member in Key]: string }
  | ({ [Member in Key]: string } & {
      [member: string]: unknown
    })

/** A word of an open list: the known ones are suggested, any other is accepted. */
export type OpenWord<Known extends string> = Known | (string & {})
