import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'

/** A server as authors write it with the SDK of the first generation. */
const server = new McpServer({ name: 'first-generation', version: '1.0.0' })
server.registerTool('greet', { description: 'Greets' }, () => ({ content: [{ type: 'text', text: 'hello from 1.x' }] }))
await server.connect(new StdioServerTransport())
