import { ProtocolError } from '../../../packages/server/src/gateway/index.ts'
import type { CallContext, InputRequired, JsonObject, MethodTable } from '../../../packages/server/src/gateway/index.ts'
import { acceptedField, form, inputRequired } from './input-required-tools.ts'
import { pixel } from './samples.ts'
import { show } from './tool.ts'

const argument = (name: string): JsonObject => ({ name, description: `The ${name}`, required: true })

const user = (content: JsonObject): JsonObject => ({ role: 'user', content })
const say = (text: string): JsonObject => user({ type: 'text', text })

interface Prompt {
  readonly description: string
  readonly arguments: readonly JsonObject[]
  get(args: JsonObject, context: CallContext): JsonObject
}

const prompts: Readonly<Record<string, Prompt>> = {
  test_simple_prompt: {
    description: 'A prompt without arguments',
    arguments: [],
    get: () => ({ messages: [say('This is a simple prompt for testing.')] }),
  },
  test_prompt_with_arguments: {
    description: 'A prompt with two arguments',
    arguments: [argument('arg1'), argument('arg2')],
    get: ({ arg1, arg2 }) => ({
      messages: [say(`Prompt with arguments: arg1='${show(arg1)}', arg2='${show(arg2)}'`)],
    }),
  },
  test_prompt_with_embedded_resource: {
    description: 'A prompt that embeds a resource',
    arguments: [argument('resourceUri')],
    get: ({ resourceUri }) => ({
      messages: [
        user({
          type: 'resource',
          resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' },
        }),
        say('Please process the embedded resource above.'),
      ],
    }),
  },
  test_prompt_with_image: {
    description: 'A prompt with an image',
    arguments: [],
    get: () => ({
      messages: [user({ type: 'image', data: pixel, mimeType: 'image/png' }), say('Please analyze the image above.')],
    }),
  },
  test_input_required_result_prompt: {
    description: 'A prompt that asks first',
    arguments: [],
    get: (_, context) => {
      const answer = acceptedField(context, 'user_context', 'context')
      return typeof answer === 'string'
        ? { messages: [say(`Context: ${answer}`)] }
        : asResult(inputRequired({ user_context: form('What context should the prompt use?', 'context') }))
    },
  },
}

/** Interfaces have no index signature; this one describes JSON all the same. */
function asResult(result: InputRequired): JsonObject {
  return result as unknown as JsonObject
}

/** Prompts and completion, in both eras. */
export const promptMethods: MethodTable = {
  'prompts/list': {
    onePage: true,
    ttlMs: 300_000,
    handle: () => ({
      prompts: Object.entries(prompts).map(([name, { description, arguments: args }]) => ({
        name,
        description,
        arguments: args,
      })),
    }),
  },
  'prompts/get': {
    mirrored: 'name',
    mayRequireInput: true,
    handle: ({ name, arguments: args }, context) => {
      const prompt = typeof name === 'string' && Object.hasOwn(prompts, name) ? prompts[name] : undefined
      if (prompt === undefined) throw new ProtocolError('invalid-params', 'Unknown prompt')
      return prompt.get((args ?? {}) as JsonObject, context)
    },
  },
  'completion/complete': {
    handle: ({ argument: partial }) => {
      const { value = '' } = (partial ?? {}) as JsonObject
      const values = ['paris', 'park', 'party'].filter((word) => word.startsWith(show(value)))
      return { completion: { values, total: values.length, hasMore: false } }
    },
  },
}
