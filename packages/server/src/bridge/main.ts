#!/usr/bin/env node
import { dshHome } from '@dsh-mcp/host'
import { join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { runBridge } from './bridge.ts'
import { help, readCommandLine } from './command-line.ts'
import type { EndpointSource } from './command-line.ts'
import { watchParent } from './parent.ts'

const http = process.getBuiltinModule('node:http')

const defaultFile = join(dshHome(), 'mcp', 'dsh-mcp-endpoint.json')
const commandLine = readCommandLine(process.argv.slice(2), process.env, defaultFile)

switch (commandLine.kind) {
  case 'help':
    process.stdout.write(help)
    break
  case 'version':
    process.stdout.write(`${manifest.version}\n`)
    break
  case 'wrong':
    process.stderr.write(`dsh-mcp-stdio: ${commandLine.problem}\nTry dsh-mcp-stdio --help\n`)
    process.exitCode = 2
    break
  case 'run':
    void run(commandLine.source)
    break
}

async function run(source: EndpointSource): Promise<void> {
  watchParent(() => process.exit(0))
  const agent = new http.Agent({ keepAlive: true })
  await runBridge({ source, agent, input: process.stdin, output: process.stdout, graceMs: 1_500 })
  agent.destroy()
  // What is written is on its way before the process ends, also where pipes are asynchronous.
  process.stdout.write('', () => process.exit(0))
}
