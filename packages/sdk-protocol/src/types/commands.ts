/** What a command came to. */
export type CommandResult =
  | { kind: 'success'; text?: string; sourceEventSeq?: number }
  | { kind: 'error'; text: string }

export interface CommandExecution {
  commandId: string
  result: CommandResult
}
