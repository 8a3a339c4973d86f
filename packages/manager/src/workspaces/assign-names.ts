/** A workspace server that wants its name. */
export interface NameClaim {
  readonly id: string
  readonly name: string
}

/** Who may use its name, and for the others who has it. */
export interface NameAssignment {
  readonly granted: ReadonlySet<string>
  /** Id of a refused server → `global`, or the id of the workspace server that has the name. */
  readonly conflicts: ReadonlyMap<string, string>
}

/**
 * A server name belongs to one server over all global ones and all loaded workspaces, since it is part of the tools' public
 * names. A global server always has it; among workspaces the present holder keeps it, else the first to ask gets it.
 */
export function assignNames(
  globalNames: ReadonlySet<string>,
  claims: readonly NameClaim[],
  holders: ReadonlySet<string>,
): NameAssignment {
  const owner = new Map<string, string>()
  const granted = new Set<string>()
  const conflicts = new Map<string, string>()
  const inOrder = [...claims.filter(({ id }) => holders.has(id)), ...claims.filter(({ id }) => !holders.has(id))]
  for (const { id, name } of inOrder) {
    const taken = globalNames.has(name) ? 'global' : owner.get(name)
    if (taken === undefined) {
      owner.set(name, id)
      granted.add(id)
    } else if (taken !== id) conflicts.set(id, taken)
  }
  return { granted, conflicts }
}
