import type { CallToolResult } from '../connections/index.ts'
import { cutText, decodeImage, errorText, imagePlaceholder, maxResultText, piecesOf, valueOf } from './results/index.ts'

/** A result as the model would see it, with images for a person to look at (`data` is base64). */
export interface ShownResult {
  readonly isError: boolean
  readonly content: readonly (
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'image'; readonly mimeType: string; readonly data: string }
  )[]
}

type ShownBlock = ShownResult['content'][number]

function blockOf(mimeType: string | undefined, data: unknown): ShownBlock {
  try {
    const image = decodeImage(mimeType, data)
    return { type: 'image', mimeType: image.mediaType, data: Buffer.from(image.data).toString('base64') }
  } catch (error) {
    return { type: 'text', text: imagePlaceholder(mimeType, error instanceof Error ? error.message : String(error)) }
  }
}

/** Runs one call and shows what came back. A failed call is a shown error, not a rejection. */
export async function resultAsShown(rawName: string, call: () => Promise<CallToolResult>): Promise<ShownResult> {
  let result: CallToolResult
  try {
    result = await call()
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: error instanceof Error ? error.message : String(error) }] }
  }
  if (result.isError === true) {
    return { isError: true, content: [{ type: 'text', text: errorText(piecesOf(result.content), rawName) }] }
  }
  const value = valueOf(result, undefined)
  const pieces = piecesOf(value.content)
  if (pieces.length === 0) {
    const text = value.text === '' ? `(${rawName} returned nothing)` : cutText(value.text, maxResultText)
    return { isError: false, content: [{ type: 'text', text }] }
  }
  let left = maxResultText
  const content = pieces.map((piece): ShownBlock => {
    if (piece.kind === 'image') return blockOf(piece.mimeType, piece.data)
    const text = cutText(piece.text, Math.max(left, 0))
    left -= piece.text.length
    return { type: 'text', text }
  })
  return { isError: false, content }
}
