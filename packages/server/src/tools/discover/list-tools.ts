import type { Agent, ToolDeclaration } from '@dsh-mcp/host'
import { z } from 'zod'
import { clip, noteOf, unmounted } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import { sessionId } from '../inputs.ts'

/** Of a description in the text block; the structured content has all of it. */
const lineChars = 160

type Part = 'tools' | 'commands' | 'skills'

interface Named {
  readonly name: string
  readonly description: string
}

/** Whose tools are listed. */
interface Subject {
  readonly sessionId: string | null
  readonly agent: Agent | undefined
  readonly stored: readonly ToolDeclaration[] | undefined
}

async function subjectOf(
  harness: Harness,
  wanted: string | undefined,
  notes: string[],
  signal: AbortSignal,
): Promise<Subject> {
  if (wanted === undefined) {
    const [newest] = harness.agents.liveRoots()
    if (newest === undefined) notes.push('No session is live: these are the tools every agent has, before any preset.')
    return { sessionId: newest?.id ?? null, agent: newest, stored: undefined }
  }
  const agent = harness.agents.get(wanted)
  if (agent !== undefined) return { sessionId: wanted, agent, stored: undefined }
  const { fold } = await harness.logs.read(wanted, signal)
  notes.push('The session is stored: these are the tools of its last request.')
  return { sessionId: wanted, agent: undefined, stored: fold.tools ?? [] }
}

/** @throws Failure `service_unavailable` when nothing of what is asked for can be told. */
function missingOf(harness: Harness, { stored }: Subject, include: readonly Part[]): readonly string[] {
  // What a stored session was offered stands in its log.
  const missing = unmounted(
    harness.host,
    include.filter((part) => part !== 'tools' || stored === undefined),
  )
  const [first] = missing
  if (first !== undefined && missing.length === include.length) throw first
  return missing.map(noteOf)
}

function toolsOf(harness: Harness, { agent, stored }: Subject): readonly ToolDeclaration[] {
  return stored ?? harness.host.get('tools')?.schemas(agent) ?? []
}

function commandsOf(harness: Harness, { agent }: Subject) {
  const service = harness.host.get('commands')
  if (service === undefined || agent === undefined) return []
  return service.list(agent).map(({ name, description, input }) => ({ name, description, hint: input?.hint ?? null }))
}

async function skillsOf(harness: Harness, { agent }: Subject, signal: AbortSignal) {
  const service = harness.host.get('skills')
  if (service === undefined) return []
  const cwd = agent?.session.header.cwd
  const skills = await service.list({ signal, ...(cwd === undefined ? {} : { cwd }), ...(agent && { scope: agent }) })
  return skills.map(({ name, description }) => ({ name, description }))
}

export const listTools = defineTool({
  name: 'dsh_list_tools',
  title: 'List agent tools',
  description: "Tools, slash commands and skills one session's agent can use.",
  hints: reads,
  input: z.strictObject({
    sessionId: sessionId.optional().describe('Without: the newest live session'),
    include: z
      .array(z.enum(['tools', 'commands', 'skills']))
      .min(1)
      .default(['tools', 'commands', 'skills']),
    withSchemas: z.boolean().default(false).describe('Also the parameters of each tool'),
    query: z.string().trim().min(1).max(200).optional().describe('Part of a name or description'),
  }),
  output: z.object({
    sessionId: z.string().nullable(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        parameters: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
    commands: z.array(z.object({ name: z.string(), description: z.string(), hint: z.string().nullable() })),
    skills: z.array(z.object({ name: z.string(), description: z.string() })),
    notes: z.array(z.string()),
  }),
  example: { include: ['commands'] },
  async run({ include, withSchemas, query, ...args }, { harness, signal }) {
    const notes: string[] = []
    const subject = await subjectOf(harness, args.sessionId, notes, signal)
    notes.push(...missingOf(harness, subject, include))
    const wanted = query?.toLocaleLowerCase()
    const matches = ({ name, description }: Named) =>
      wanted === undefined ||
      name.toLocaleLowerCase().includes(wanted) ||
      description.toLocaleLowerCase().includes(wanted)
    const has = (part: Part) => include.includes(part)
    const tools = has('tools') ? toolsOf(harness, subject).filter(matches) : []
    return {
      sessionId: subject.sessionId,
      tools: tools.map(({ name, description, parameters }) => ({
        name,
        description,
        ...(withSchemas ? { parameters } : {}),
      })),
      commands: has('commands') ? commandsOf(harness, subject).filter(matches) : [],
      skills: has('skills') ? (await skillsOf(harness, subject, signal)).filter(matches) : [],
      notes,
    }
  },
  render({ sessionId: of, tools, commands, skills, notes }) {
    const line = ({ name, description }: Named) => `  ${name}: ${clip(description.split('\n', 1)[0]!, lineChars)}`
    const part = (title: string, entries: readonly Named[]) =>
      entries.length === 0 ? [] : [title, ...entries.map(line)]
    return [
      of === null ? 'no session' : `session ${of}`,
      ...part('tools:', tools),
      ...part(
        'commands:',
        commands.map(({ name, description, hint }) => ({
          name: `/${name}${hint === null ? '' : ` ${hint}`}`,
          description,
        })),
      ),
      ...part('skills:', skills),
      ...notes,
    ].join('\n')
  },
})
