import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scriptedModelRow } from '../model/row.ts'

/** `scripted` mounts the scripted model as the default; `own` leaves the choice to the home and the patches. */
export type ModelChoice = 'scripted' | 'own'

/** Patch layer that mounts the scripted model and makes it the default. JSON is YAML. */
function scriptedModelPatch(): string {
  return JSON.stringify([
    { insert: [{ id: 'dsh-mcp-test-row', name: scriptedModelRow }] },
    { id: 'agent-default-model', config: { provider: 'scripted', model: 'scripted' } },
  ])
}

/** Writes the patch files of one start below the home and returns the launcher flags that name them. */
export async function patchFlags(home: string, patches: readonly string[], model: ModelChoice): Promise<string[]> {
  const flags: string[] = []
  const layers = model === 'scripted' ? [scriptedModelPatch(), ...patches] : patches
  for (const [index, text] of layers.entries()) {
    const file = join(home, `test-${index}.patch.yml`)
    await writeFile(file, text)
    flags.push('--patch', file)
  }
  return flags
}

/** A patch that replaces the config of one row (the host replaces the whole config, keys left out get their defaults). */
export function configPatch(rowId: string, config: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([{ id: rowId, config }])
}
