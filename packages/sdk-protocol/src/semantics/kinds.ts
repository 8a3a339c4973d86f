import type { ContentBlockMap, KnownSessionEvent, SdkPromptContentBlock, SessionEventMap } from '../types/index.ts'

/** Whether an event is of that known type; narrows its `data`. The shape of the data is the runtime's promise. */
export function isSessionEvent<Type extends keyof SessionEventMap>(
  event: { readonly type: string },
  type: Type,
): event is KnownSessionEvent<Type> {
  return event.type === type
}

/** Whether a block is of that known type; narrows its members. An image that a client encoded is not an `image` here. */
export function isContentBlock<Type extends keyof ContentBlockMap>(
  block: SdkPromptContentBlock,
  type: Type,
): block is ContentBlockMap[Type] {
  return block.type === type && !(type === 'image' && 'data' in block)
}
