/** `ctx.commands`, where plugins add slash commands (observed on DSH 0.1.0-rc.8). Not in every profile. */
export interface CommandRegistry {
  /** Throws when the name is taken. Returns what removes the command. */
  register(command: CommandDefinition): () => void
}

export interface CommandDefinition {
  /** Lower case, without the slash. */
  readonly name: string
  readonly description: string
  readonly input?: { readonly hint: string }
  /** Runs for the person at the keyboard; the model sees neither the command nor its answer. */
  readonly handler: (invocation: CommandInvocation) => Promise<CommandAnswer>
}

export interface CommandInvocation {
  readonly agent: object
  /** What follows the name, white space included. */
  readonly rawInput: string
  readonly signal: AbortSignal
}

export type CommandAnswer =
  | { readonly kind: 'success'; readonly text: string }
  | { readonly kind: 'error'; readonly text: string }
