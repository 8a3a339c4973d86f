import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { hostEnvironment, nodeBinary, pluginFolder, startChild } from '@dsh-mcp/testkit'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { useScene } from '../server/scene.ts'

const scene = useScene('bridge-input')
const bridge = join(pluginFolder('server'), 'bin', 'dsh-mcp-stdio.mjs')

/** Feeds the real bridge, then a ping, and gives its end and the lines it wrote. */
async function feed(input: string | Buffer) {
  await using child = startChild(nodeBinary, [bridge], { env: hostEnvironment(scene.home.path) })
  child.process.stdin!.write(input)
  child.process.stdin!.write('\n{"jsonrpc":"2.0","id":"last","method":"ping"}\n')
  await child.waitForOutput(/"id":"last"/)
  child.process.stdin!.end()
  const exit = await child.exited
  return {
    exit,
    stderr: child.stderr(),
    lines: child
      .stdout()
      .split('\n')
      .filter((line) => line !== ''),
  }
}

const deep = '{"jsonrpc":"2.0","id":1,"method":"ping","params":' + '{"a":'.repeat(100_000) + '1' + '}'.repeat(100_001)

test.each<[string, string | Buffer]>([
  ['nothing', ''],
  ['random bytes', randomBytes(1_000_000)],
  ['NULs', Buffer.alloc(100_000)],
  ['a line without end', 'x'.repeat(20_000_000)],
  ['half an object', '{"jsonrpc":"2.0","id":1,'],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]'],
  ['values that are no message', 'null\n7\n"x"\n[]\n{}\ntrue'],
  ['depth', deep],
  ['odd ids', '{"id":{},"method":"ping"}\n{"id":[],"method":"ping"}\n{"id":null,"method":"ping"}'],
  ['a split header', '{"id":1,"method":"tools/call","params":{"name":"a\\r\\nx-evil: 1","_meta":{}}}'],
  [
    'a client with a hostile name',
    '{"id":1,"method":"initialize","params":{"clientInfo":{"name":"a\\r\\nb\\u001b[2J"}}}',
  ],
  ['ten thousand lines at once', '{"id":1,"method":"nope"}\n'.repeat(10_000)],
  ['UTF-16', Buffer.from('{"id":1,"method":"ping"}', 'utf16le')],
])('%s does not end the bridge: the next request is answered', async (_, input) => {
  const { exit, stderr, lines } = await feed(input)
  expect(exit, stderr).toMatchObject({ code: 0 })
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  expect(lines.map((line) => (JSON.parse(line) as { id: unknown }).id)).toContain('last')
  expect(stderr).not.toMatch(/\n\s+at |node:internal/)
  expect(stderr.length).toBeLessThan(10_000)
})

test('nor do messages made of pieces of messages', async () => {
  const piece = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(
      'ping',
      'tools/call',
      'notifications/cancelled',
      '__proto__',
      'io.modelcontextprotocol/protocolVersion',
    ),
  )
  const message = fc.dictionary(fc.constantFrom('jsonrpc', 'id', 'method', 'params', 'result', '__proto__'), piece)
  const messages = fc.sample(message, { numRuns: 300, seed: 1 }).map((one) => JSON.stringify(one))
  const { exit, stderr, lines } = await feed(messages.join('\n'))
  expect(exit, stderr).toMatchObject({ code: 0 })
  for (const line of lines) JSON.parse(line)
  expect(lines.at(-1) === undefined ? '' : stderr).not.toMatch(/\n\s+at /)
})
