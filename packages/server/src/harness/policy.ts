import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, relative, sep } from 'node:path'
import type { HostServiceContext } from '@dsh-mcp/host'
import { Failure } from './failure.ts'
import type { LogView } from './session-logs.ts'

/** What the user lets MCP clients do. */
export interface PolicyOptions {
  /** Directories sessions may work in; empty for any. */
  readonly allowedRoots: readonly string[]
  /** The widest permission preset a session driven from here may have. */
  readonly maxPermissionPreset: string
  /** Whether a client may allow a tool call that waits for approval. */
  readonly allowApprovals: boolean
}

export interface Policy extends PolicyOptions {
  /**
   * The real path of a working directory.
   *
   * @throws Failure `invalid_argument` (relative), `directory_not_found`, `directory_not_allowed`.
   */
  directory(path: string): Promise<string>
  presetAllowed(name: string): boolean
  /** @throws Failure `permission_not_allowed` */
  requirePreset(name: string): void
  /** @throws Failure `directory_not_allowed`, `permission_not_allowed` for a session that must not be driven from here. */
  requireDrivable(view: LogView): Promise<void>
}

/** Sandbox modes from narrow to wide (observed on DSH 0.1.0-rc.8). */
const sandboxWidth: Readonly<Record<string, number>> = {
  'read-only': 0,
  'workspace-write': 1,
  'danger-full-access': 2,
}

function widthOf(sandbox: string | undefined): number {
  return sandbox === undefined ? Number.POSITIVE_INFINITY : (sandboxWidth[sandbox] ?? Number.POSITIVE_INFINITY)
}

function isWithin(path: string, root: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

async function realDirectory(path: string): Promise<string> {
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (error) {
    throw new Failure('directory_not_found', `no directory "${path}" on the machine of the harness`, {
      hint: 'Give the absolute path of an existing directory.',
      details: { path },
      cause: error,
    })
  }
  throw new Failure('directory_not_found', `"${path}" is not a directory`, {
    hint: 'Give the absolute path of an existing directory.',
    details: { path },
  })
}

async function realRoot(root: string): Promise<string | undefined> {
  try {
    return await realpath(root)
  } catch {
    // A root that does not exist allows nothing.
    return undefined
  }
}

export function createPolicy(ctx: HostServiceContext, options: PolicyOptions): Policy {
  const { allowedRoots, maxPermissionPreset } = options

  async function requireAllowed(path: string): Promise<void> {
    if (allowedRoots.length === 0) return
    for (const root of await Promise.all(allowedRoots.map(realRoot))) {
      if (root !== undefined && isWithin(path, root)) return
    }
    throw new Failure('directory_not_allowed', `"${path}" is outside the directories this server may work in`, {
      hint: `Allowed: ${allowedRoots.join(', ')}. The user sets them as allowedRoots of the dsh-mcp-server plugin.`,
      details: { path, allowedRoots },
    })
  }

  function sandboxOf(preset: string): string | undefined {
    try {
      return ctx.get('permissionPresets')?.resolve(preset).sandbox ?? preset
    } catch {
      // Not a preset of this harness; built-in presets are named after their sandbox.
      return preset
    }
  }

  function presetAllowed(name: string): boolean {
    return name === maxPermissionPreset || widthOf(sandboxOf(name)) <= widthOf(sandboxOf(maxPermissionPreset))
  }

  function tooWide(name: string): Failure {
    return new Failure('permission_not_allowed', `permission preset "${name}" is wider than this server allows`, {
      hint: `Use "${maxPermissionPreset}" or narrower; the user sets the limit as maxPermissionPreset.`,
      details: { requested: name, maxPermissionPreset },
    })
  }

  return {
    ...options,
    async directory(path) {
      if (!isAbsolute(path)) {
        throw new Failure('invalid_argument', `cwd "${path}" is not an absolute path`, {
          hint: 'Give the absolute path of a directory on the machine of the harness.',
        })
      }
      const real = await realDirectory(path)
      await requireAllowed(real)
      return real
    },
    presetAllowed,
    requirePreset(name) {
      if (!presetAllowed(name)) throw tooWide(name)
    },
    async requireDrivable({ header, fold, events }) {
      if (allowedRoots.length > 0) await requireAllowed(await realDirectory(header.cwd ?? ''))
      const name = ctx.get('permissionPresets')?.current(events)
      if (name === undefined || presetAllowed(name)) return
      // A hand-mixed preset has no sandbox of its own name.
      if (widthOf(fold.sandboxMode) <= widthOf(sandboxOf(maxPermissionPreset))) return
      throw tooWide(name)
    },
  }
}
