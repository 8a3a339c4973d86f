import { ProtocolError } from '../../../packages/server/src/gateway/index.ts'
import type { Extension, GatewayOptions, ToolDefinition } from '../../../packages/server/src/gateway/index.ts'
import schema2020 from './json-schema-2020-12.json' with { type: 'json' }
import { createChanges } from './changes.ts'
import { contentTools } from './content-tools.ts'
import { inputRequiredTools } from './input-required-tools.ts'
import { messageTools } from './message-tools.ts'
import { promptMethods } from './prompts.ts'
import { createQuestions } from './questions.ts'
import { suiteResources } from './resources.ts'
import { show, text } from './tool.ts'
import type { Tool } from './tool.ts'

/** Tools whose arguments the suite looks at. */
const schemas: Readonly<Record<string, ToolDefinition['inputSchema']>> = {
  test_sampling: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
  test_elicitation: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
  test_x_mcp_header: {
    type: 'object',
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' }, query: { type: 'string' } },
    required: ['region'],
  },
  json_schema_2020_12_tool: schema2020,
}

const emptySchema = { type: 'object', properties: {} }

/** What the official suite expects of a server under test, mounted on the gateway of the product. */
export function suiteGatewayOptions(): GatewayOptions {
  const changes = createChanges()
  const tools: Readonly<Record<string, Tool>> = {
    ...contentTools,
    ...messageTools,
    ...inputRequiredTools,
    test_trigger_tool_change: () => (changes.announce('tools'), text('Announced')),
    test_trigger_prompt_change: () => (changes.announce('prompts'), text('Announced')),
    test_x_mcp_header: ({ region }) => text(`Region: ${show(region)}`),
    json_schema_2020_12_tool: () => text('Valid'),
  }
  const capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    completions: {},
  }
  const extension: Extension = {
    legacyCapabilities: { ...capabilities, logging: {} },
    modernCapabilities: capabilities,
    legacyMethods: {
      ...promptMethods,
      'resources/subscribe': { handle: () => ({}) },
      'resources/unsubscribe': { handle: () => ({}) },
    },
    modernMethods: promptMethods,
    changes: changes.feed,
    questions: createQuestions(),
  }
  return {
    identity: {
      serverInfo: { name: 'dsh-mcp-conformance', title: 'Conformance fixture', version: '0.0.0' },
      instructions: 'Answers the official conformance suite.',
    },
    tools: {
      list: () =>
        Object.keys(tools).map((name) => ({
          name,
          description: `Conformance fixture ${name}`,
          inputSchema: schemas[name] ?? emptySchema,
        })),
      call: async (name, args, context) => {
        const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
        if (tool === undefined) throw new ProtocolError('unknown-tool', `Unknown tool: ${name}`)
        return tool(args, context)
      },
    },
    resources: suiteResources,
    extension,
    onInternalError: (method, error) => console.error(method, error),
  }
}
