import { SdkProtocolError } from '../errors.ts'
import type { SdkEncodedImageBlock, SdkPromptContentBlock } from '../types/index.ts'
import { isContentBlock } from './kinds.ts'

/**
 * Input of `session/prompt` and `session/query` as blocks: text becomes one text block, blocks stay as they are.
 *
 * @throws SdkProtocolError `bad-input` no blocks, nothing but white space, or something that is not a block. Images alone
 *   are fine.
 */
export function promptInput(input: string | readonly SdkPromptContentBlock[]): SdkPromptContentBlock[] {
  const blocks: SdkPromptContentBlock[] = typeof input === 'string' ? [{ type: 'text', text: input }] : [...input]
  blocks.forEach(assertBlock)
  if (blocks.length === 0) throw new SdkProtocolError('bad-input', 'the prompt holds no content block')
  if (blocks.every(isBlankText)) throw new SdkProtocolError('bad-input', 'the prompt holds nothing but white space')
  return blocks
}

/**
 * The text of blocks that were recognised as a command: exactly one text block, and beside it only encoded images. To be
 * checked before anything runs or is queued.
 *
 * @throws SdkProtocolError `bad-command-input`
 */
export function commandText(blocks: readonly SdkPromptContentBlock[]): string {
  const texts = blocks.filter((block) => isContentBlock(block, 'text'))
  const [text] = texts
  if (texts.length !== 1 || text === undefined) {
    throw new SdkProtocolError('bad-command-input', `a command takes exactly one text block, not ${texts.length}`)
  }
  const stranger = blocks.find((block) => block !== text && !isEncodedImage(block))
  if (stranger !== undefined) {
    throw new SdkProtocolError(
      'bad-command-input',
      `a command takes encoded images beside its text, not a "${stranger.type}" block${stranger.type === 'image' ? ' without data' : ''}`,
    )
  }
  return text.text
}

/** An image whose bytes come with it, and not a reference to one that the runtime stores already. */
export function isEncodedImage(block: SdkPromptContentBlock): block is SdkEncodedImageBlock {
  return block.type === 'image' && 'data' in block && typeof block.data === 'string'
}

function isBlankText(block: SdkPromptContentBlock): boolean {
  return isContentBlock(block, 'text') && block.text.trim() === ''
}

function assertBlock(block: unknown, index: number): void {
  if (typeof block !== 'object' || block === null || !('type' in block) || typeof block.type !== 'string') {
    throw new SdkProtocolError('bad-input', `content block ${index} is not an object with a type`)
  }
  if (block.type === 'text' && !('text' in block && typeof block.text === 'string')) {
    throw new SdkProtocolError('bad-input', `content block ${index} is a text block without a text`)
  }
}
