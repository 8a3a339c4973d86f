import { readFile } from 'node:fs/promises'
import { arch, cpus, release, totalmem, type } from 'node:os'
import { join } from 'node:path'
import { repositoryRoot } from './host/paths.ts'

/** Where and when something was measured, and which versions of the product and its host. */
export interface Provenance {
  /** `YYYY-MM-DD`, UTC. */
  readonly date: string
  /** Processors, memory and system; no name that tells whose machine it is. */
  readonly machine: string
  /** Name → version. */
  readonly versions: Readonly<Record<string, string>>
}

async function manifestOf(folder: string): Promise<{ readonly name: string; readonly version: string }> {
  return JSON.parse(await readFile(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
    name: string
    version: string
  }
}

/** What a generated report says of its origin. */
export async function provenance(): Promise<Provenance> {
  const measured = await Promise.all(
    ['node_modules/@deepseek-ai/dsh', 'packages/manager', 'packages/server', 'packages/sdk-protocol'].map(manifestOf),
  )
  const [kernel = ''] = /^\d+\.\d+/.exec(release()) ?? []
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpus()[0]?.model ?? arch()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${kernel}`,
    versions: {
      Node: process.versions.node,
      ...Object.fromEntries(measured.map(({ name, version }) => [name, version])),
    },
  }
}
