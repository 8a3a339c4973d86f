import { randomUUID } from 'node:crypto'
import type { HostServiceContext, ImageBlock, MessageBlock, UserMessage } from '@dsh-mcp/host'
import { Failure, serviceUnavailable } from './failure.ts'

/** `data` is base64. */
export interface EncodedImage {
  readonly mediaType: string
  readonly data: string
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

function decode({ data, mediaType }: EncodedImage, index: number) {
  const bytes = Buffer.from(data, 'base64')
  if (bytes.toString('base64') !== data) {
    throw new Failure('invalid_argument', `images[${index}].data is not canonical base64`, {
      hint: 'Send the image bytes as plain base64 with padding, without a data: prefix or line breaks.',
    })
  }
  return { data: new Uint8Array(bytes), mediaType }
}

async function storeImages(ctx: HostServiceContext, images: readonly EncodedImage[]): Promise<readonly ImageBlock[]> {
  if (images.length === 0) return []
  const attachments = ctx.get('attachments')
  if (attachments === undefined) throw serviceUnavailable('attachments')
  const decoded = images.map(decode)
  try {
    const refs = await attachments.saveImages(decoded)
    return refs.map((attachment) => ({ type: 'image', attachment }))
  } catch (error) {
    throw new Failure('invalid_argument', `the harness did not accept the images: ${String(error)}`, {
      hint: 'Use png, jpeg, webp or gif within the size limits of the harness.',
      cause: error,
    })
  }
}

/**
 * A prompt as the harness keeps it. The source stays `user`, as for what a person types; `mcpClient` says which client
 * sent it.
 */
export async function userMessage(
  ctx: HostServiceContext,
  text: string,
  images: readonly EncodedImage[],
  client: string | undefined,
): Promise<UserMessage> {
  const content: MessageBlock[] = [{ type: 'text', text }, ...(await storeImages(ctx, images))]
  return deepFreeze({
    id: randomUUID(),
    role: 'user' as const,
    content,
    source: { kind: 'user', mcpClient: client ?? 'mcp' },
  })
}
