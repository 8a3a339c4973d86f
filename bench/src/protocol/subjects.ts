import type { Readable, Writable } from 'node:stream'
import { randomUUID } from 'node:crypto'
import { JsonRpcLineTransport as PublishedTransport } from '@deepseek-ai/dsh-sdk-protocol'
import { JsonRpcLineTransport } from '@dsh-mcp/sdk-protocol'
import { ReadBuffer, serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import { JSONRPCClient, JSONRPCServer, JSONRPCServerAndClient } from 'json-rpc-2.0'
import split2 from 'split2'
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node'

/** One end of a connection, as each library offers it; every use of it here goes through these few functions. */
export interface Endpoint {
  request(params: object): Promise<unknown>
  notify(params: object): void
  /** Requests are answered with their own params. */
  echo(): void
  onNotification(handler: (params: unknown) => void): void
}

export type Connect = (input: Readable, output: Writable) => Endpoint

/** What both transports of the SDK's protocol offer alike. */
function overTransport(transport: JsonRpcLineTransport | PublishedTransport): Endpoint {
  transport.start()
  return {
    request: (params) => transport.request('echo', params),
    notify: (params) => transport.notify('note', params),
    echo: () => transport.onRequest(async (_method, params) => params),
    onNotification: (handler) => transport.onNotification((_method, params) => handler(params)),
  }
}

export const subjects = {
  ours: (input, output) => overTransport(new JsonRpcLineTransport(input, output, { maxLineBytes: 256 * 1024 * 1024 })),

  published: (input, output) => overTransport(new PublishedTransport(input, output)),

  /** The stdio buffer and serialisation of the MCP SDK, with the smallest possible table of waiting requests. */
  mcp(input, output) {
    const buffer = new ReadBuffer({ maxBufferSize: 256 * 1024 * 1024 })
    const waiting = new Map<string | number, (result: unknown) => void>()
    let serving = false
    let onNotification: ((params: unknown) => void) | undefined
    input.on('data', (chunk: Buffer) => {
      buffer.append(chunk)
      for (let message = buffer.readMessage(); message !== null; message = buffer.readMessage()) {
        if ('result' in message) {
          waiting.get(message.id)?.(message.result)
          waiting.delete(message.id)
        } else if ('method' in message && 'id' in message) {
          const { id, params } = message
          if (serving) {
            void Promise.resolve(params).then((result) =>
              output.write(serializeMessage({ jsonrpc: '2.0', id, result: { ...result } })),
            )
          }
        } else if ('method' in message) onNotification?.(message.params)
      }
    })
    return {
      request: (params) =>
        new Promise((resolve) => {
          const id = randomUUID()
          waiting.set(id, resolve)
          output.write(serializeMessage({ jsonrpc: '2.0', id, method: 'echo', params: { ...params } }))
        }),
      notify: (params) =>
        void output.write(serializeMessage({ jsonrpc: '2.0', method: 'note', params: { ...params } })),
      echo: () => (serving = true),
      onNotification: (handler) => (onNotification = handler),
    }
  },

  split2(input, output) {
    const peer = new JSONRPCServerAndClient(
      new JSONRPCServer(),
      new JSONRPCClient((message: unknown) => {
        output.write(`${JSON.stringify(message)}\n`)
      }),
    )
    input.pipe(split2()).on('data', (line: string) => void peer.receiveAndSend(JSON.parse(line)))
    return {
      request: async (params) => (await peer.request('echo', params)) as unknown,
      notify: (params) => peer.notify('note', params),
      echo: () => peer.addMethod('echo', async (params: unknown) => params),
      onNotification: (handler) => peer.addMethod('note', (params: unknown) => handler(params)),
    }
  },

  vscode(input, output) {
    const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output))
    connection.listen()
    return {
      request: (params) => connection.sendRequest('echo', params),
      notify: (params) => void connection.sendNotification('note', params),
      echo: () => void connection.onRequest('echo', async (params: unknown) => params),
      onNotification: (handler) => void connection.onNotification('note', handler),
    }
  },
} as const satisfies Record<string, Connect>

export type SubjectName = keyof typeof subjects

export const subjectNames: readonly SubjectName[] = ['ours', 'published', 'mcp', 'split2', 'vscode']

export const others: readonly SubjectName[] = ['mcp', 'split2', 'vscode']
