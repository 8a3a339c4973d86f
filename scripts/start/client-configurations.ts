/** A word of a command line, quoted when a POSIX shell would read more than the word itself. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/**
 * Ready-made configuration of common MCP clients for the stdio bridge. The bridge reads the token from the endpoint file,
 * so that no secret stands in a client's configuration and a restart of the harness changes nothing.
 */
export function clientConfigurations(bridge: string, home: string, url: string): string {
  const command = `--env ${shellWord(`DSH_HOME=${home}`)} -- node ${shellWord(bridge)}`
  const json = JSON.stringify(
    { mcpServers: { dsh: { command: 'node', args: [bridge], env: { DSH_HOME: home } } } },
    null,
    2,
  )
  return `  Claude Code   claude mcp add dsh ${command}
  Codex         codex mcp add dsh ${command}
  Cursor, Claude Desktop and others (VS Code calls the outer key "servers"):
${json.replaceAll(/^/gm, '    ')}
  Over HTTP     ${url} with the header "Authorization: Bearer <token>"
`
}
