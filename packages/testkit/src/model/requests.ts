import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** One request that reached the scripted model. */
export interface RecordedRequest {
  readonly time: number
  readonly model: string
  readonly purpose?: string
  readonly sessionId?: string
  /** Names of the tools the model saw. */
  readonly tools: readonly string[]
  /** Size of the tool schemas in the request, in bytes of JSON. */
  readonly toolBytes: number
  readonly messageCount: number
  /** With the environment variable `DSH_MCP_TEST_RECORD=full` only. */
  readonly schemas?: readonly { readonly name: string; readonly description: string; readonly parameters: unknown }[]
  readonly messages?: readonly unknown[]
  readonly system?: string
}

/** All turns' requests that a host of this home sent to the scripted model, oldest first; title requests left out. */
export async function modelRequests(home: string): Promise<RecordedRequest[]> {
  let text: string
  try {
    text = await readFile(join(home, 'model-requests.jsonl'), 'utf8')
  } catch {
    // No request yet.
    return []
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RecordedRequest)
    .filter((request) => request.purpose !== 'session-title')
}
