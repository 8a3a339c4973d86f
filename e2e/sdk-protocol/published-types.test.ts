import type * as Published from '@deepseek-ai/dsh-sdk-protocol'
import { JsonRpcLineTransport as PublishedTransport } from '@deepseek-ai/dsh-sdk-protocol'
import { JsonRpcLineTransport } from '@dsh-mcp/sdk-protocol'
import type * as Ours from '@dsh-mcp/sdk-protocol'
import { expect, expectTypeOf, test } from 'vitest'

test('what the published types describe is described by ours', () => {
  expectTypeOf<Published.InitializeParams>().toExtend<Ours.InitializeParams>()
  expectTypeOf<Published.InitializeResult>().toEqualTypeOf<Ours.InitializeResult>()
  expectTypeOf<Published.SessionPromptParams>().toExtend<Ours.SessionPromptParams>()
  expectTypeOf<Published.SessionPromptResult>().toEqualTypeOf<Ours.SessionPromptResult>()
  expectTypeOf<Published.SessionEventNotification>().toExtend<Ours.SessionEventNotification>()
  expectTypeOf<Published.SessionStatusNotification>().toEqualTypeOf<Ours.SessionStatusNotification>()
  expectTypeOf<Published.SubagentStartedNotification>().toEqualTypeOf<Ours.SubagentStartedNotification>()
  expectTypeOf<Published.SubagentFinishedNotification>().toExtend<Ours.SubagentFinishedNotification>()
  expectTypeOf<keyof Published.HarnessSdkNotificationMap>().toExtend<keyof Ours.HarnessSdkNotificationMap>()
  expectTypeOf<keyof Published.HarnessSdkRequestMap>().toExtend<keyof Ours.HarnessSdkRequestMap>()
  expectTypeOf<Ours.HarnessSdkRequestMap['shutdown']>().toEqualTypeOf<Published.HarnessSdkRequestMap['shutdown']>()
})

test('each event that the published types know is an event of the same data here', () => {
  type PublishedEvent = Published.SessionEventNotification['event']
  type Shared = PublishedEvent['type'] & keyof Ours.SessionEventMap
  expectTypeOf<Extract<PublishedEvent, { type: Shared }>>().toExtend<Ours.KnownSessionEvent>()
  expectTypeOf<'turn/end' | 'assistant/message' | 'tool/result'>().toExtend<Shared>()
})

test('our transport stands where the published one is asked for', () => {
  expectTypeOf<JsonRpcLineTransport>().toExtend<Published.JsonRpcTransportPeer>()
  expectTypeOf<Ours.JsonRpcResponseError>().toExtend<Published.JsonRpcResponseError>()
  expectTypeOf<ConstructorParameters<typeof PublishedTransport>>().toExtend<
    ConstructorParameters<typeof JsonRpcLineTransport>
  >()
  const methods = Object.getOwnPropertyNames(PublishedTransport.prototype)
  const publicMethods = ['start', 'close', 'onRequest', 'onNotification', 'request', 'notify', 'flush']
  expect(methods).toEqual(expect.arrayContaining(publicMethods))
  expect(Object.getOwnPropertyNames(JsonRpcLineTransport.prototype)).toEqual(expect.arrayContaining(publicMethods))
})
