/**
 * Ready-made configuration of common MCP clients for the stdio bridge. The bridge reads the token from the endpoint file,
 * so that no secret stands in a client's configuration and a restart of the harness changes nothing.
 */
export function clientConfigurations(bridge: string, home: string): string {
  const json = JSON.stringify(
    { mcpServers: { dsh: { command: 'node', args: [bridge], env: { DSH_HOME: home } } } },
    null,
    2,
  )
  return `  Claude Code   claude mcp add dsh --env DSH_HOME=${home} -- node ${bridge}
  Codex         codex mcp add dsh --env DSH_HOME=${home} -- node ${bridge}
  Cursor, VS Code, Claude Desktop and others:
${json.replaceAll(/^/gm, '    ')}
`
}
