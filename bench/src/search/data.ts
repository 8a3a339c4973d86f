import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { SearchableTool } from '../../../packages/manager/src/broker/index.ts'

/** A server as `data/tool-search/servers.json` holds it. */
export interface CatalogueServer {
  readonly server: string
  readonly title?: string
  readonly tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: unknown }[]
}

/** A labelled task: for its question and each of its steps, one of `tools` is what should be found. */
export interface LabelledTask {
  readonly task: string
  readonly question?: string
  readonly steps: readonly string[]
  /** The English steps that `steps` renders, in the file of Chinese renderings. */
  readonly source?: readonly string[]
  readonly tools: readonly string[]
}

const folder = new URL('../../data/tool-search/', import.meta.url)

/** Files of the data set that comes with this repository. */
export const DATA = {
  catalogue: fileURLToPath(new URL('servers.json', folder)),
  queries: fileURLToPath(new URL('queries-dev.jsonl', folder)),
  chinese: fileURLToPath(new URL('queries-zh.jsonl', folder)),
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const areTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every(isText)

function isServer(value: unknown): value is CatalogueServer {
  return (
    isObject(value) &&
    isText(value['server']) &&
    Array.isArray(value['tools']) &&
    value['tools'].every((tool) => isObject(tool) && isText(tool['name']))
  )
}

function isTask(value: unknown): value is LabelledTask {
  return isObject(value) && areTexts(value['steps']) && areTexts(value['tools'])
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${where} is not JSON`, { cause })
  }
}

/** @throws Error that names the file and, of an entry that is not as it should be, its number. */
export async function readCatalogue(file: string): Promise<SearchableTool[]> {
  const servers = parseJson(await readFile(file, 'utf8'), file)
  if (!Array.isArray(servers)) throw new Error(`${file} is not a JSON array of servers`)
  return servers.flatMap((server: unknown, at) => {
    if (!isServer(server)) throw new Error(`${file}: server ${at + 1} has no text "server" or no "tools" with names`)
    return server.tools.map((tool) => ({
      name: `mcp__${server.server}__${tool.name}`,
      server: server.server,
      serverTitle: server.title,
      tool: tool.name,
      description: tool.description,
      inputSchema: tool.inputSchema,
    }))
  })
}

/** @throws Error that names the file and the line. */
export async function readTasks(file: string): Promise<LabelledTask[]> {
  const lines = (await readFile(file, 'utf8')).split('\n')
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return []
    const task = parseJson(line, `${file}, line ${at + 1},`)
    if (!isTask(task)) throw new Error(`${file}, line ${at + 1}: "steps" and "tools" must be lists of texts`)
    return [task]
  })
}
