import { z } from 'zod'
import { ProtocolError } from '../gateway/index.ts'
import type { CallContext, JsonObject, ToolDefinition, ToolResult, ToolSet } from '../gateway/index.ts'
import { Failure } from '../harness/index.ts'
import type { Harness } from '../harness/index.ts'
import type { About, Tool } from './definition.ts'
import { outline } from './outline.ts'
import { portableSchema } from './portable-schema.ts'

/** As the caller writes it, so that defaults are optional, and result objects open. */
function jsonSchema(schema: z.ZodObject): JsonObject {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return portableSchema(rest as JsonObject)
}

/** One entry of `tools/list`. */
export function definitionOf(tool: Tool): ToolDefinition {
  const { readOnly, destructive, idempotent, openWorld } = tool.hints
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input),
    outputSchema: jsonSchema(tool.output),
    annotations: {
      title: tool.title,
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
  }
}

/**
 * A failed call. It carries no structured content: clients of the official SDK check that against the output schema even
 * on errors, and lose the text.
 */
function failed({ code, message, hint, details }: Failure): ToolResult {
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}. ${hint}` }],
    _meta: { 'dsh-mcp/error': { code, message, hint, ...(details === undefined ? {} : { details }) } as JsonObject },
  }
}

function pathOf(issue: z.core.$ZodIssue): string {
  return issue.path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : index === 0 ? String(part) : `.${String(part)}`))
    .join('')
}

function describeIssue(issue: z.core.$ZodIssue, args: JsonObject): string {
  const path = pathOf(issue)
  const [first, second] = issue.path
  if (typeof first === 'string' && second === undefined && args[first] === undefined) return `"${first}" is missing`
  if (issue.code === 'unrecognized_keys') {
    return `unknown argument ${issue.keys.map((key) => `"${path === '' ? key : `${path}.${key}`}"`).join(', ')}`
  }
  return path === '' ? issue.message : `${path}: ${issue.message}`
}

/** Of several bounds that one value breaks the last, which is the one its schema states: an integer has one of its own. */
function oneForEach(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.code} ${pathOf(issue)}`, issue])).values()]
}

/** What the schema says of the arguments that are wrong, such as where their value comes from. */
function described(tool: Tool, issues: readonly z.core.$ZodIssue[]): readonly string[] {
  const names = new Set(issues.map((issue) => issue.path[0]).filter((name) => typeof name === 'string'))
  return [...names].flatMap((name) => {
    const description = tool.input.shape[name]?.meta()?.description
    return description === undefined ? [] : [`${name}: ${description}.`]
  })
}

function badArguments(tool: Tool, args: JsonObject, given: readonly z.core.$ZodIssue[]): Failure {
  const issues = oneForEach(given)
  const known = Object.keys(tool.input.shape)
  return new Failure('invalid_argument', issues.map((issue) => describeIssue(issue, args)).join('; '), {
    hint: [
      known.length === 0 ? `${tool.name} takes no arguments.` : `${tool.name} takes: ${known.join(', ')}.`,
      ...described(tool, issues),
    ].join(' '),
    details: { issues: issues.map((issue) => ({ path: pathOf(issue), code: issue.code })) },
  })
}

function unexpected(error: unknown): Failure {
  return new Failure('internal', error instanceof Error ? error.message : String(error), {
    hint: 'This is a fault of the server or the harness; the harness log may say more.',
    cause: error,
  })
}

/** Nobody else is left to hear it: a client that went away has no answer to read. */
function broken(tool: Tool, cause: unknown): Failure {
  return new Failure('service_unavailable', 'the harness stops or loads this server again', {
    hint: tool.hints.readOnly
      ? 'Call again with the same arguments in a few seconds.'
      : 'Wait a few seconds and look before you call again: it may have been done.',
    cause,
  })
}

/** Serves `tools` on one harness. */
export function createToolSet(tools: readonly Tool[], harness: Harness, about: About): ToolSet {
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const definitions = tools.map(definitionOf)

  async function run(tool: Tool, args: JsonObject, { caller, signal }: CallContext): Promise<ToolResult> {
    const parsed = tool.input.safeParse(args)
    if (!parsed.success) return failed(badArguments(tool, args, parsed.error.issues))
    const output = await tool.run(parsed.data, { harness, about, client: caller.client, signal })
    const text = tool.render?.(output) ?? outline(output)
    return { content: [{ type: 'text', text }], structuredContent: output as JsonObject }
  }

  return {
    list: () => definitions,
    async call(name, args, context) {
      const tool = byName.get(name)
      if (tool === undefined) throw new ProtocolError('unknown-tool', `unknown tool "${name}"`)
      try {
        return await run(tool, args, context)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        if (error instanceof Failure) return failed(error)
        return failed(context.signal.aborted ? broken(tool, error) : unexpected(error))
      }
    },
  }
}
