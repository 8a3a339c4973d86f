import type { MessageBlock, ToolResultMessage } from '@dsh-mcp/host'

/** The text blocks of a message, one after another; an image leaves a mark. */
export function textOf(blocks: readonly MessageBlock[]): string {
  const parts: string[] = []
  for (const block of blocks) {
    if (block.type === 'text') parts.push(block.text)
    else if (block.type === 'image') parts.push('[image]')
  }
  return parts.join('\n')
}

export function reasoningOf(blocks: readonly MessageBlock[]): string {
  return blocks
    .filter((block) => block.type === 'reasoning')
    .map((block) => block.text)
    .join('\n')
}

export interface ToolOutcome {
  readonly callId: string
  readonly isError: boolean
  readonly text: string
}

/** Reads both forms of a tool result: one block in a user message (to 0.1.5) and a message of role `tool` (0.1.7). */
export function toolOutcome(message: ToolResultMessage): ToolOutcome {
  const [block] = message.content
  if (block?.type === 'tool-result') {
    return { callId: block.toolCallId, isError: block.isError === true, text: textOf(block.content) }
  }
  return {
    callId: message.toolCallId ?? message.source?.callId ?? '',
    isError: message.isError === true,
    text: textOf(message.content),
  }
}
