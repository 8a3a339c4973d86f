import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { eventually } from '@dsh-mcp/testkit'
import { isError, startBridge } from '../bridge.ts'
import type { Fault } from '../fault.ts'
import { startFaultyWire, type WireFault } from '../faulty-wire.ts'
import { handlesOf } from '../held.ts'
import type { Scene } from '../scene.ts'

const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list' })

async function endpointUrl(scene: Scene): Promise<string> {
  const text = await readFile(join(scene.home, 'mcp', 'dsh-mcp-endpoint.json'), 'utf8')
  return (JSON.parse(text) as { url: string }).url
}

/** Faults in which each request still ends by itself. */
const ending: readonly (readonly [string, WireFault])[] = [
  ['cut', { kind: 'cut' }],
  ['slow by 150 ms', { kind: 'slow', ms: 150 }],
  ['cut inside the head of an answer', { kind: 'cut-after', bytes: 20 }],
  ['cut inside the body of an answer', { kind: 'cut-after', bytes: 2_000 }],
  ['zeros', { kind: 'garbage', bytes: new Uint8Array(4096) }],
  ['another protocol', { kind: 'garbage', bytes: 'SSH-2.0-OpenSSH_9.7\r\n' }],
]

/** A call may take hours, so the bridge waits; once the connection ends the request must be answered. */
const waiting: readonly (readonly [string, WireFault])[] = [
  ['half-open', { kind: 'half-open' }],
  ['connections that stand fall silent', { kind: 'silent' }],
]

const network: Fault = {
  fault: 'a network that fails between bridge and harness',
  points: [
    ...ending.map(([point, fault]) => ({ point, fault, ends: true })),
    ...waiting.map(([point, fault]) => ({ point, fault, ends: false })),
  ].map(({ point, fault, ends }) => ({
    point,
    async inject(scene: Scene) {
      await using wire = await startFaultyWire(new URL(await endpointUrl(scene)))
      await using bridge = startBridge(scene, ['--url', wire.url])
      const before = await bridge.ask(list(1))
      if (!before.includes('dsh_start_session')) throw new Error(`without a fault: ${before.slice(0, 300)}`)
      wire.become(fault)
      const during = bridge.ask(list(2))
      await (ends ? during : eventually('the request is on its way', () => wire.met() > 0))
      wire.become({ kind: 'none' })
      const answer = await during
      if (fault.kind !== 'slow' && !isError(answer)) throw new Error(`answered by ${answer.slice(0, 300)}`)
      const after = await bridge.ask(list(3))
      if (!after.includes('dsh_start_session')) throw new Error(`after the fault: ${after.slice(0, 300)}`)
    },
  })),
}

const amount = 100

/** Opens connections that send `bytes` and then nothing. */
async function silentClients(scene: Scene, bytes: string): Promise<readonly Socket[]> {
  const { port } = scene.host()
  return Promise.all(
    Array.from(
      { length: amount },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket)))
          socket.on('error', reject)
          // What is answered is not read: that is one of the faults.
          socket.pause()
        }),
    ),
  )
}

const head = (more: string): string => `POST /mcp HTTP/1.1\r\nhost: 127.0.0.1\r\n${more}`

const silent: Fault = {
  fault: 'clients that fall silent',
  points: [
    ['inside the head of a request', head('content-')],
    ['inside the body of a request', head('content-type: application/json\r\ncontent-length: 500\r\n\r\n{"json')],
    ['and never read the answer', head('content-type: application/json\r\ncontent-length: 2\r\n\r\n{}')],
  ].map(([point = '', bytes = '']) => ({
    point: `${amount} of them, ${point}`,
    async inject(scene: Scene) {
      if (process.platform !== 'linux') return { skipped: 'handles are counted in /proc' }
      const before = await handlesOf(scene)
      const sockets = await silentClients(scene, bytes)
      try {
        await eventually('they are connected', async () => (await handlesOf(scene)) >= before + amount / 2)
        const { text } = await scene.mcp('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
        if (!text.includes('dsh_start_session')) throw new Error(`another client got ${text.slice(0, 300)}`)
      } finally {
        for (const socket of sockets) socket.destroy()
      }
      await eventually('their handles are free', async () => (await handlesOf(scene)) <= before + 5)
      return undefined
    },
  })),
}

/** Faults on the way to the MCP endpoint. */
export const bridgeNetwork: readonly Fault[] = [network, silent]
