import { DESCRIBE_APPEARANCE } from './describe-tool.ts'
import { EXECUTE_APPEARANCE } from './execute-tool.ts'
import { SEARCH_APPEARANCE } from './search-tools.ts'

/** Bytes (UTF-8 JSON of name, description and parameters) the three tools add to a model request. */
export function brokerBytes(): number {
  return [SEARCH_APPEARANCE, DESCRIBE_APPEARANCE, EXECUTE_APPEARANCE].reduce(
    (sum, appearance) => sum + Buffer.byteLength(JSON.stringify(appearance)),
    0,
  )
}
