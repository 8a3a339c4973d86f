import { Call } from './call.ts'
import type { Carrier } from './carrier.ts'
import { readEnvelope } from './envelope.ts'
import { chooseEra } from './era.ts'
import type { EraChoice } from './era.ts'
import { errorCode } from './errors.ts'
import type { Extension } from './extension.ts'
import { failureReply } from './failure.ts'
import type { Identity } from './identity.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { legacyMethods } from './legacy-methods.ts'
import type { Method, MethodTable } from './method.ts'
import { modernMethods } from './modern-methods.ts'
import { presentModernResult } from './modern-result.ts'
import { mirroredParameterFault, mirroredParameters, standardHeaderFault } from './request-headers.ts'
import type { MirroredParameter, RequestHeaders } from './request-headers.ts'
import { accepted, errorReply, resultReply } from './reply.ts'
import type { Reply } from './reply.ts'
import type { ResourceSet, ToolSet } from './tool-set.ts'

export interface GatewayOptions {
  readonly identity: Identity
  readonly tools: ToolSet
  readonly resources: ResourceSet
  readonly extension?: Extension
  /** Hears of failures whose cause the client is not told. */
  readonly onInternalError?: (method: string, error: unknown) => void
}

/** The protocol of the endpoint, in every revision it speaks, without a transport. */
export interface Gateway {
  /**
   * Answers one message that came out of `JSON.parse`. Never throws and never rejects. The reply is at hand at once when no
   * tool or resource had to be waited for.
   */
  handle(message: unknown, carrier: Carrier): Reply | Promise<Reply>
}

type Modern = Extract<EraChoice, { era: '2026-07-28' }>

/**
 * Builds a gateway from a tool set and a resource set.
 *
 * @example
 * const gateway = createGateway({ identity, tools, resources })
 * const reply = await gateway.handle({ jsonrpc: '2.0', id: 1, method: 'ping' }, carrier)
 */
export function createGateway(options: GatewayOptions): Gateway {
  const { identity, tools, resources, extension = {}, onInternalError } = options
  const legacy = ownTable(legacyMethods(identity, tools, resources, extension))
  const modern = ownTable(modernMethods(identity, tools, resources, extension))
  const constants = new Map<Method, string>()
  let mirrored: ReadonlyMap<string, readonly MirroredParameter[]> | undefined

  function run(
    method: string,
    handler: Method,
    params: JsonObject,
    call: Call,
    id: JsonValue,
    present: (result: JsonObject) => JsonObject,
  ): Reply | Promise<Reply> {
    const failed = (error: unknown): Reply => failureReply(id, method, call.era, error, onInternalError)
    const finish = (result: JsonObject): Reply => {
      const text = JSON.stringify(present(result))
      if (handler.constant === true) constants.set(handler, text)
      return resultReply(id, text)
    }
    try {
      const known = handler.constant === true ? constants.get(handler) : undefined
      if (known !== undefined) return resultReply(id, known)
      const result = handler.handle(params, call, id)
      return isPromise(result) ? result.then(finish).catch(failed) : finish(result)
    } catch (error) {
      return failed(error)
    }
  }

  function handleLegacy(method: string, params: JsonObject, meta: JsonObject, id: JsonValue, carrier: Carrier) {
    const handler = legacy.get(method)
    if (handler === undefined) return errorReply(200, id, errorCode.methodNotFound, `Method not found: ${clip(method)}`)
    const call = new Call('legacy', meta, {}, params, carrier, extension.questions)
    return run(method, handler, params, call, id, presentLegacyResult)
  }

  function handleModern(method: string, params: JsonObject, choice: Modern, id: JsonValue, carrier: Carrier) {
    const handler = modern.get(method)
    const fault = carrier.headers && headerFault(carrier.headers, method, handler, params)
    if (fault !== undefined) return errorReply(400, id, errorCode.headerMismatch, fault)
    if (handler === undefined) return errorReply(404, id, errorCode.methodNotFound, `Method not found: ${clip(method)}`)
    if (handler.onePage === true && params.cursor !== undefined) {
      return errorReply(200, id, errorCode.invalidParams, 'This list has one page: leave "cursor" out')
    }
    const call = new Call(choice.era, choice.meta, choice.clientCapabilities, params, carrier, undefined)
    return run(method, handler, params, call, id, (result) => presentModernResult(result, handler, call, identity))
  }

  function headerFault(headers: RequestHeaders, method: string, handler: Method | undefined, params: JsonObject) {
    const mirroredValue = handler?.mirrored === undefined ? undefined : params[handler.mirrored]
    const fault = standardHeaderFault(headers, method, mirroredValue)
    if (fault !== undefined || method !== 'tools/call' || typeof params.name !== 'string') return fault
    mirrored ??= new Map(tools.list().map((tool) => [tool.name, mirroredParameters(tool.inputSchema)]))
    const parameters = mirrored.get(params.name) ?? []
    return parameters.length === 0 ? undefined : mirroredParameterFault(headers, parameters, objectOr(params.arguments))
  }

  function handleRequest(message: JsonObject, id: JsonValue, method: string, params: JsonObject, carrier: Carrier) {
    const choice = chooseEra(method, params, carrier.headers)
    switch (choice.era) {
      case 'refused': {
        const { status, code, message: text, data } = choice.refusal
        return errorReply(status, id, code, text, data)
      }
      case 'legacy':
        return handleLegacy(method, params, choice.meta, id, carrier)
      case '2026-07-28': {
        if (message.jsonrpc !== '2.0') return errorReply(400, id, errorCode.invalidRequest, '"jsonrpc" must be "2.0"')
        if (typeof id !== 'string' && !Number.isInteger(id)) {
          return errorReply(400, null, errorCode.invalidRequest, '"id" must be a string or an integer')
        }
        return handleModern(method, params, choice, id, carrier)
      }
    }
  }

  return {
    handle(message, carrier) {
      const envelope = readEnvelope(message)
      switch (envelope.kind) {
        case 'invalid':
          return errorReply(400, envelope.id, errorCode.invalidRequest, envelope.reason)
        case 'response':
          if (extension.questions === undefined) {
            const text = 'The message has no "method" string; this endpoint sends no requests that could be answered'
            return errorReply(400, null, errorCode.invalidRequest, text)
          }
          extension.questions.answer(envelope.id, envelope.message)
          return accepted
        case 'notification':
          return accepted
        case 'request':
          return handleRequest(message as JsonObject, envelope.id, envelope.method, envelope.params, carrier)
      }
    },
  }
}

/** A method name is data from outside: `constructor` or `__proto__` must not find anything. */
function ownTable(table: MethodTable): ReadonlyMap<string, Method> {
  return new Map(Object.entries(table))
}

function presentLegacyResult(result: JsonObject): JsonObject {
  if (result.resultType === 'input_required') throw new TypeError('only a 2026-07-28 result can ask for input')
  return result
}

function objectOr(value: JsonValue | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise
}

/** Method names come back in error texts; nobody needs more than this of one. */
function clip(name: string): string {
  return name.length <= 100 ? name : `${name.slice(0, 100)}…`
}
