import { isRecord } from '../schema/index.ts'

/** One block of a tool result, reduced to what a model can be shown. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string | undefined; readonly data: unknown }

const text = (said: string): Piece => ({ kind: 'text', text: said.isWellFormed() ? said : said.toWellFormed() })

/** Size in bytes of base64 text, for people. */
function sizeOf(base64: unknown): string {
  if (typeof base64 !== 'string') return 'no data'
  const bytes = Math.floor((base64.length * 3) / 4)
  return bytes < 1024 ? `${bytes} bytes` : `${Math.round(bytes / 1024)} KiB`
}

const stringOr = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

function resourceLink(block: Readonly<Record<string, unknown>>): Piece {
  if (typeof block['uri'] !== 'string') return text('[resource link without a URI]')
  const name = stringOr(block['title'], stringOr(block['name'], ''))
  const link = name === '' ? block['uri'] : `${name} (${block['uri']})`
  const description = stringOr(block['description'], '')
  return text(description === '' ? `Resource link: ${link}` : `Resource link: ${link} - ${description}`)
}

function embeddedResource(block: Readonly<Record<string, unknown>>): Piece {
  const resource = block['resource']
  if (!isRecord(resource)) return text('[embedded resource without content]')
  const uri = stringOr(resource['uri'], 'without a URI')
  const mimeType = stringOr(resource['mimeType'], '')
  const label = mimeType === '' ? uri : `${uri}, ${mimeType}`
  if (typeof resource['text'] === 'string') return text(`[resource ${label}]\n${resource['text']}`)
  if (mimeType.startsWith('image/') && typeof resource['blob'] === 'string') {
    return { kind: 'image', mimeType, data: resource['blob'] }
  }
  return text(`[resource ${label}, ${sizeOf(resource['blob'])}, not shown: binary]`)
}

function pieceOf(block: unknown): Piece {
  if (!isRecord(block)) return text('[content block that is not an object]')
  const { type } = block
  switch (type) {
    case 'text':
      return typeof block['text'] === 'string' ? text(block['text']) : text('[text block without text]')
    case 'image':
      return {
        kind: 'image',
        mimeType: typeof block['mimeType'] === 'string' ? block['mimeType'] : undefined,
        data: block['data'],
      }
    case 'audio':
      return text(`[audio ${stringOr(block['mimeType'], 'of unknown type')}, ${sizeOf(block['data'])}, not shown]`)
    case 'resource_link':
      return resourceLink(block)
    case 'resource':
      return embeddedResource(block)
    default:
      return text(
        typeof type === 'string'
          ? `[content of type ${type.slice(0, 100)}, not shown]`
          : '[content block without a type]',
      )
  }
}

/**
 * The blocks of a tool result (MCP 2025-11-25, Server / Tools, Tool Result) in their order: text and images as they are, the
 * text of embedded resources, and a readable line for everything else, malformed blocks included.
 */
export const piecesOf = (content: readonly unknown[]): Piece[] => content.map(pieceOf)
