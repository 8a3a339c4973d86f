/** One row of the host's own MCP client in the composed plugin tree, as declared (observed on DSH 0.1.0-rc.8). */
export interface BuiltinMcpRow {
  /** Id of the row, which a patch names to change it. */
  readonly rowId: string
  readonly disabled: boolean
  readonly config: Readonly<Record<string, unknown>>
}

const builtinClient = '@deepseek-ai/dsh-mcp-client'

interface Entry {
  readonly options?: { readonly id?: unknown; readonly name?: unknown; readonly config?: unknown }
  readonly disabled?: unknown
}

/** Reads `ctx.get('loader')`: the rows of the built-in MCP client; none on a host that does not tell. */
export function builtinMcpRows(loader: unknown): readonly BuiltinMcpRow[] {
  const list = (loader as { entries?: unknown } | null | undefined)?.entries
  if (typeof list !== 'function') return []
  const rows: BuiltinMcpRow[] = []
  for (const { options, disabled } of list.call(loader) as Iterable<Entry>) {
    const config = options?.config
    if (options?.name !== builtinClient || typeof config !== 'object' || config === null) continue
    rows.push({
      rowId: typeof options.id === 'string' ? options.id : '',
      disabled: disabled === true,
      config: config as Record<string, unknown>,
    })
  }
  return rows
}
