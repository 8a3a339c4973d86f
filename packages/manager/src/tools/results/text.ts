import { clip } from '../schema/index.ts'
import type { Piece } from './pieces.ts'

/** The most text one result puts before a model, in UTF-16 units (about 64 000 tokens of English). */
export const maxResultText = 256_000
const maxErrorText = 16_000

/** The line that stands where an image cannot be shown. */
export const imagePlaceholder = (mimeType: string | undefined, reason: string): string =>
  `[image unavailable: ${mimeType === undefined ? 'unknown type' : clip(mimeType, 100)}; ${reason}]`

/** Cuts text at `limit` and says how much is missing. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text
  const kept = clip(text, limit)
  return `${kept}\n[cut: ${text.length - kept.length + 1} of ${text.length} characters not shown]`
}

/** All pieces as one text, images as placeholders. */
export function textOf(pieces: readonly Piece[], imageReason: string): string {
  return pieces
    .map((piece) => (piece.kind === 'text' ? piece.text : imagePlaceholder(piece.mimeType, imageReason)))
    .join('\n')
}

/** The message of a result marked `isError`: what the server said, else that it failed. */
export function errorText(pieces: readonly Piece[], rawName: string): string {
  const said = textOf(pieces, 'part of an error').trim()
  return said === '' ? `MCP tool "${rawName}" failed` : cutText(said, maxErrorText)
}
