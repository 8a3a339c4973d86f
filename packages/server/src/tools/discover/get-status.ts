import { readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { serviceKeys } from '../../harness/index.ts'
import type { Harness } from '../../harness/index.ts'
import { defineTool, reads } from '../definition.ts'
import type { About } from '../definition.ts'
import { modelShape } from '../shapes.ts'
import { modelView } from '../views.ts'

/** The version in the package of the program that runs this process; null when that is no DSH launcher. */
function readHostVersion(): string | null {
  try {
    const entry = realpathSync(process.argv[1] ?? '')
    const manifest = JSON.parse(readFileSync(join(dirname(entry), '..', 'package.json'), 'utf8')) as unknown
    if (typeof manifest !== 'object' || manifest === null || !('version' in manifest)) return null
    return typeof manifest.version === 'string' ? manifest.version : null
  } catch {
    // Started another way, such as a test: the version is not known.
    return null
  }
}

const hostVersion = readHostVersion()

/** The profile the launcher was asked for, where its command line says so. */
function profileOf(argv: readonly string[], host: Harness['host']): string | null {
  const flag = argv.indexOf('--profile')
  const named =
    flag < 0 ? argv.find((word) => word.startsWith('--profile='))?.slice('--profile='.length) : argv[flag + 1]
  return named ?? (host.get('apiProxy') === undefined ? null : 'web')
}

/** Null until the harness has listed its store once, shortly after it has started. */
function storedCount({ host, stored }: Harness): number | null {
  const live = new Set((host.get('sessions')?.list() ?? []).map((session) => session.id))
  return stored.known()?.filter((session) => !live.has(session.header.id)).length ?? null
}

/** What `dsh_get_status` tells. Never the token. */
export function statusOf(harness: Harness, about: About) {
  const { host, interactions, models, presets, policy } = harness
  const live = host.get('agents')?.list() ?? []
  const services = Object.fromEntries(serviceKeys.map((key) => [key, host.get(key) !== undefined]))
  return {
    plugin: { name: about.name, version: about.version },
    host: { version: hostVersion, node: process.version, pid: process.pid, platform: process.platform },
    profile: profileOf(process.argv, host),
    uptimeMs: Math.round(process.uptime() * 1000),
    endpoint: about.endpoint(),
    services,
    decisions: interactions.channel,
    defaults: {
      model: modelView(models.defaultSelection()),
      agentPreset: presets.defaultId ?? null,
      permissionPreset: host.get('permissionPresets')?.defaultPreset ?? null,
    },
    counts: {
      live: live.length,
      running: live.filter((agent) => agent.status === 'running').length,
      needsInput: new Set(interactions.list().map((pending) => pending.sessionId)).size,
      stored: storedCount(harness),
    },
    limits: {
      ...about.limits,
      allowedRoots: policy.allowedRoots,
      maxPermissionPreset: policy.maxPermissionPreset,
      allowApprovals: policy.allowApprovals,
    },
  }
}

export const getStatus = defineTool({
  name: 'dsh_get_status',
  title: 'Harness status',
  description: 'Version, uptime, mounted services, live sessions, pending decisions, defaults, limits.',
  hints: reads,
  input: z.strictObject({}),
  output: z.object({
    plugin: z.object({ name: z.string(), version: z.string() }),
    host: z.object({
      version: z.string().nullable(),
      node: z.string(),
      pid: z.int(),
      platform: z.string(),
    }),
    profile: z.string().nullable(),
    uptimeMs: z.int(),
    endpoint: z.object({ url: z.string(), auth: z.array(z.string()) }).nullable(),
    services: z.record(z.string(), z.boolean()),
    decisions: z.string().optional().describe('Channel for approvals and questions'),
    defaults: z.object({
      model: modelShape.nullable(),
      agentPreset: z.string().nullable(),
      permissionPreset: z.string().nullable(),
    }),
    counts: z.object({
      live: z.int(),
      running: z.int(),
      needsInput: z.int(),
      stored: z.int().nullable(),
    }),
    limits: z.record(z.string(), z.unknown()),
  }),
  example: {},
  run: async (_args, { harness, about }) => statusOf(harness, about),
  render({ plugin, host, uptimeMs, services, defaults, counts, limits }) {
    const missing = Object.keys(services).filter((key) => services[key] !== true)
    const { model } = defaults
    return [
      `${plugin.name} ${plugin.version} in DSH ${host.version ?? 'of unknown version'}, up ${Math.round(uptimeMs / 1000)} s, pid ${host.pid}`,
      `sessions: ${counts.live} live, ${counts.running} running, ${counts.needsInput} waiting for a decision, ${counts.stored ?? 'unknown'} stored`,
      `defaults: model ${model === null ? 'none' : `${model.provider}/${model.model}`}, agent preset ${defaults.agentPreset ?? 'none'}, permission preset ${defaults.permissionPreset ?? 'none'}`,
      `limits: ${JSON.stringify(limits)}`,
      `services not mounted: ${missing.length === 0 ? 'none' : missing.join(', ')}`,
    ].join('\n')
  },
})
