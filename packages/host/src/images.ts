import type { ImageAttachment, ToolExecution } from './tool-runtime.ts'

export type ImageMediaType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif'

/** `ctx.get('attachments')`, where a host stores images (observed on DSH 0.1.0-rc.8). */
export interface AttachmentStore {
  readonly imageLimits?: { readonly maxImagesPerMessage?: number; readonly maxImageBytes?: number }
  /** Decodes and stores; refs in order, all or none. Throws when an image is refused. */
  saveImages(
    images: readonly { readonly data: Uint8Array; readonly mediaType: ImageMediaType; readonly name?: string }[],
  ): Promise<readonly ImageAttachment[]>
}

interface ModelRouter {
  resolveModelInfo(
    provider: string,
    model: string,
    signal?: AbortSignal,
  ): Promise<{ readonly inputModalities?: readonly string[] }>
}

const hasFunction = <K extends string>(value: unknown, key: K): value is Record<K, (...args: never[]) => unknown> =>
  typeof value === 'object' && value !== null && typeof (value as Record<string, unknown>)[key] === 'function'

/**
 * The store that takes images for the model an execution is routed to.
 * @throws Error that says why there is none: no store, no route, or a model without image input.
 */
export async function imageStoreFor(
  get: (service: string) => unknown,
  execution: Pick<ToolExecution, 'agent' | 'signal'>,
): Promise<AttachmentStore> {
  const store = get('attachments')
  if (!hasFunction(store, 'saveImages')) throw new Error('this host stores no images')
  const routed = execution.agent?.session.requestHeader?.()?.config
  const provider = routed?.provider ?? execution.agent?.options.provider
  const model = routed?.model ?? execution.agent?.options.model
  const router = get('llm')
  if (provider === undefined || model === undefined || !hasFunction(router, 'resolveModelInfo')) {
    throw new Error('the model of this call is not known')
  }
  const info = await (router as unknown as ModelRouter).resolveModelInfo(provider, model, execution.signal)
  if (info.inputModalities?.includes('image') !== true) throw new Error(`model "${model}" takes no images`)
  return store as unknown as AttachmentStore
}
