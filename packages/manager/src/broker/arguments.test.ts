import { expect, test } from 'vitest'
import * as z from 'zod'
import { describeInput, executeInput, searchInput } from './arguments.ts'
import { DESCRIBE_PARAMETERS } from './describe-tool.ts'
import { EXECUTE_PARAMETERS } from './execute-tool.ts'
import { SEARCH_PARAMETERS } from './search-tools.ts'

/** What says the same in fewer words for a model. */
function plain(schema: z.ZodType): unknown {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }), (key, value: unknown) =>
    ['$schema', 'propertyNames'].includes(key) ? undefined : value,
  )
  return JSON.parse(text.replaceAll('"additionalProperties":{}', '"additionalProperties":true'))
}

test.each([
  ['search', searchInput, SEARCH_PARAMETERS],
  ['describe', describeInput, DESCRIBE_PARAMETERS],
  ['execute', executeInput, EXECUTE_PARAMETERS],
])('what the model is told of %s is what is read', (_name, schema, parameters) =>
  expect(plain(schema)).toEqual(parameters),
)
