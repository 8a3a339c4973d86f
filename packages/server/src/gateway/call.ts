import type { Carrier } from './carrier.ts'
import type { Era } from './era.ts'
import type { Exchange } from './exchange.ts'
import type { Questions } from './extension.ts'
import type { InputRetry } from './input-required.ts'
import { isJsonObject } from './json.ts'
import type { JsonObject, JsonValue } from './json.ts'
import type { CallContext, Caller } from './tool-set.ts'

/** The context of one request. Asks its carrier only when a handler asks it, since most calls need none of it. */
export class Call implements CallContext, Exchange {
  readonly era: Era
  readonly meta: JsonObject
  readonly clientCapabilities: JsonObject
  readonly retry: InputRetry
  readonly #carrier: Carrier
  readonly #questions: Questions | undefined

  constructor(
    era: Era,
    meta: JsonObject,
    clientCapabilities: JsonObject,
    params: JsonObject,
    carrier: Carrier,
    questions: Questions | undefined,
  ) {
    this.era = era
    this.meta = meta
    this.clientCapabilities = clientCapabilities
    this.retry = era === 'legacy' ? noRetry : readRetry(params)
    this.#carrier = carrier
    this.#questions = questions
  }

  get caller(): Caller {
    return this.#carrier.caller
  }

  get signal(): AbortSignal {
    return this.#carrier.signal
  }

  get exchange(): Exchange {
    return this
  }

  notify(method: string, params: JsonObject): boolean {
    return this.#carrier.streams && this.#carrier.send({ jsonrpc: '2.0', method, params })
  }

  async ask(method: string, params: JsonObject): Promise<JsonValue> {
    if (this.era !== 'legacy') throw new Error('Requests to the client do not exist in 2026-07-28')
    if (this.#questions === undefined) throw new Error('This endpoint sends no requests to the client')
    if (!this.#carrier.streams) throw new Error('The client takes no messages besides the answer')
    return this.#questions.ask((message) => this.#carrier.send(message), method, params, this.#carrier.signal)
  }
}

const noRetry: InputRetry = {}

function readRetry({ inputResponses, requestState }: JsonObject): InputRetry {
  if (inputResponses === undefined && requestState === undefined) return noRetry
  return {
    ...(isJsonObject(inputResponses) && { inputResponses }),
    ...(typeof requestState === 'string' && { requestState }),
  }
}
