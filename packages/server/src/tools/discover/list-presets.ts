import { z } from 'zod'
import { noteOf, unmounted } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'

async function agentPresets(harness: Harness) {
  const presets = await harness.presets.list()
  return (presets ?? []).map(({ id, name, description, trust, broken }) => ({
    id,
    name: name ?? id,
    description: description ?? null,
    default: id === harness.presets.defaultId,
    trust,
    broken: broken ?? null,
  }))
}

function permissionPresets(harness: Harness) {
  const presets = harness.host.get('permissionPresets')
  if (presets === undefined) return []
  return presets.names.map((id) => {
    const { sandbox, approval } = presets.resolve(id)
    const { name, description } = presets.optionOf(id)
    return {
      id,
      name,
      description: description ?? null,
      sandbox,
      approval,
      default: id === presets.defaultPreset,
      allowed: harness.policy.presetAllowed(id),
    }
  })
}

const services = {
  agent: ['agentPresets'],
  permission: ['permissionPresets'],
  all: ['agentPresets', 'permissionPresets'],
} as const

export const listPresets = defineTool({
  name: 'dsh_list_presets',
  title: 'List presets',
  description: 'Agent presets and permission presets with what each allows.',
  hints: reads,
  input: z.strictObject({ kind: z.enum(['agent', 'permission', 'all']).default('all') }),
  output: z.object({
    agentPresets: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string().nullable(),
        default: z.boolean(),
        trust: z.string().describe('system, or user for one the user wrote'),
        broken: z.string().nullable().optional().describe('Why it cannot be used'),
      }),
    ),
    permissionPresets: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        description: z.string().nullable().optional(),
        sandbox: z.string(),
        approval: z.string(),
        default: z.boolean(),
        allowed: z.boolean().describe('Within the limit the user set for MCP clients'),
      }),
    ),
    notes: z.array(z.string()),
  }),
  example: { kind: 'permission' },
  async run({ kind }, { harness }) {
    const asked = services[kind]
    const missing = unmounted(harness.host, asked)
    const [first] = missing
    if (first !== undefined && missing.length === asked.length) throw first
    return {
      agentPresets: kind === 'permission' ? [] : await agentPresets(harness),
      permissionPresets: kind === 'agent' ? [] : permissionPresets(harness),
      notes: missing.map(noteOf),
    }
  },
})
