import type { AttachmentStore, ImageAttachment, ToolContentBlock } from '@dsh-mcp/host'
import { decodeImage, type DecodedImage } from './images.ts'
import { piecesOf, type Piece } from './pieces.ts'
import { cutText, imagePlaceholder, maxResultText } from './text.ts'
import type { ToolValue } from './value.ts'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Joins neighbouring text and keeps the whole text within the limit; images stay where they are. */
function joinBlocks(blocks: readonly ToolContentBlock[]): ToolContentBlock[] {
  const joined: ToolContentBlock[] = []
  let left = maxResultText
  let run: string[] = []
  const flush = (): void => {
    if (run.length === 0) return
    const text = run.join('\n')
    if (left > 0) joined.push({ type: 'text', text: cutText(text, left) })
    left -= text.length
    run = []
  }
  for (const block of blocks) {
    if (block.type === 'text') run.push(block.text)
    else {
      flush()
      joined.push(block)
    }
  }
  flush()
  return joined
}

function shownPieces(value: ToolValue): Piece[] {
  const pieces = piecesOf(value.content)
  return pieces.length === 0 && value.structuredContent !== undefined ? [{ kind: 'text', text: value.text }] : pieces
}

/** Whether any block is an image. */
export const hasImage = (value: ToolValue): boolean => piecesOf(value.content).some((piece) => piece.kind === 'image')

/** What the model reads where no image can be shown: pure, so that it can be rendered again from the stored value. */
export function textBlocks(value: ToolValue, rawName: string): ToolContentBlock[] {
  const blocks = shownPieces(value).map<ToolContentBlock>((piece) => ({
    type: 'text',
    text: piece.kind === 'text' ? piece.text : imagePlaceholder(piece.mimeType, 'this model is not shown images'),
  }))
  const joined = joinBlocks(blocks)
  return joined.length === 0 ? [{ type: 'text', text: `(${rawName} returned nothing)` }] : joined
}

type Admission = { readonly attachment: ImageAttachment } | { readonly reason: string }

async function storeOne(store: AttachmentStore, image: DecodedImage): Promise<Admission> {
  try {
    const [attachment] = await store.saveImages([image])
    return attachment === undefined ? { reason: 'the host did not store it' } : { attachment }
  } catch (error) {
    return { reason: messageOf(error) }
  }
}

/** Stores in one go; when one image spoils the batch, one by one, so that the good ones stay. */
async function storeAll(store: AttachmentStore, images: readonly DecodedImage[]): Promise<Admission[]> {
  try {
    const attachments = await store.saveImages(images)
    return images.map((_, index) => {
      const attachment = attachments[index]
      return attachment === undefined ? { reason: 'the host did not store it' } : { attachment }
    })
  } catch {
    return Promise.all(images.map((image) => storeOne(store, image)))
  }
}

/**
 * What the model sees with its images stored by the host: each image that passes in its place, a line with the reason for
 * each that does not. `admit` gives the store, or throws why there is none. Never rejects.
 */
export async function imageBlocks(
  value: ToolValue,
  admit: () => Promise<AttachmentStore>,
): Promise<ToolContentBlock[]> {
  const pieces = shownPieces(value)
  const decoded = new Map<Piece, DecodedImage>()
  const reasons = new Map<Piece, string>()
  for (const piece of pieces) {
    if (piece.kind !== 'image') continue
    try {
      decoded.set(piece, decodeImage(piece.mimeType, piece.data))
    } catch (error) {
      reasons.set(piece, messageOf(error))
    }
  }
  const stored = new Map<Piece, ImageAttachment>()
  if (decoded.size > 0) {
    try {
      const store = await admit()
      const most = store.imageLimits?.maxImagesPerMessage ?? Infinity
      const kept = [...decoded].slice(0, most)
      for (const [piece] of [...decoded].slice(kept.length)) reasons.set(piece, `only ${most} images are shown`)
      const admissions = await storeAll(
        store,
        kept.map(([, image]) => image),
      )
      for (const [index, [piece]] of kept.entries()) {
        const admission = admissions[index]!
        if ('attachment' in admission) stored.set(piece, admission.attachment)
        else reasons.set(piece, admission.reason)
      }
    } catch (error) {
      for (const piece of decoded.keys()) reasons.set(piece, messageOf(error))
    }
  }
  return joinBlocks(
    pieces.map((piece) => {
      if (piece.kind === 'text') return { type: 'text', text: piece.text }
      const attachment = stored.get(piece)
      if (attachment !== undefined) return { type: 'image', attachment }
      return { type: 'text', text: imagePlaceholder(piece.mimeType, reasons.get(piece) ?? 'not stored') }
    }),
  )
}
