import { McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'

/** A server as authors write it with the SDK of the second generation; it speaks both eras. */
serveStdio(() => {
  const server = new McpServer({ name: 'second-generation', version: '2.0.0' })
  server.registerTool('greet', { description: 'Greets' }, () => ({
    content: [{ type: 'text', text: 'hello from 2.x' }],
  }))
  return server
})
