export const en = {
  tab: 'MCP',
  title: 'MCP servers',
  intro: 'Tools of MCP servers, for every agent of this harness.',
}

/** A key of the dictionaries. */
export type Key = keyof typeof en
