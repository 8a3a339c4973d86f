import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '@dsh-mcp/testkit'
import type { Fault, FaultPoint } from '../fault.ts'
import type { WireFault } from '../faulty-wire.ts'
import { servers, type Scene } from '../scene.ts'

/** A call may fail, and must end, whatever the wire does: the server's budget is 2 s, this adds what the machine needs. */
const patience = 40_000

async function callEnds(scene: Scene, tool: string, args: object): Promise<string> {
  const call = scene.api('POST', `/api/servers/${servers.net}/try`, { body: { tool, arguments: args } })
  const late = sleep(patience, undefined, { ref: false }).then(() => {
    throw new Error(`a call hung for ${patience / 1000} s`)
  })
  const { status, body } = await Promise.race([call, late])
  if (status === 500) throw new Error(`the failure was not foreseen: ${JSON.stringify(body)}`)
  return JSON.stringify(body)
}

async function othersGoOn(scene: Scene): Promise<void> {
  if ((await scene.echo(servers.local, 'other')) !== 'other') throw new Error('another server suffered')
}

const duringCalls = (name: string, fault: WireFault): FaultPoint => ({
  point: `${name}, before a call`,
  async inject(scene) {
    try {
      scene.wire.become(fault)
      await Promise.all([callEnds(scene, 'echo', { text: 'x' }), othersGoOn(scene)])
    } finally {
      scene.wire.become({ kind: 'none' })
    }
  },
})

const duringHandshake = (name: string, fault: WireFault): FaultPoint => ({
  point: `${name}, during the handshake`,
  async inject(scene) {
    try {
      scene.wire.become(fault)
      const connecting = scene.api('POST', `/api/servers/${servers.net}/connect`)
      await othersGoOn(scene)
      // What does not answer at all is waited for up to a minute: then the reconnect below must not have to wait for it.
      await Promise.race([connecting, sleep(4_000)])
    } finally {
      scene.wire.become({ kind: 'none' })
    }
  },
})

const kinds: readonly (readonly [string, WireFault])[] = [
  ['cut', { kind: 'cut' }],
  ['half-open', { kind: 'half-open' }],
  ['connections that stand fall silent', { kind: 'silent' }],
  ['slow by 150 ms', { kind: 'slow', ms: 150 }],
  ['cut inside the head of an answer', { kind: 'cut-after', bytes: 20 }],
  ['cut inside the body of an answer', { kind: 'cut-after', bytes: 190 }],
  ['zeros', { kind: 'garbage', bytes: new Uint8Array(4096) }],
  ['another protocol', { kind: 'garbage', bytes: 'SSH-2.0-OpenSSH_9.7\r\n' }],
  ['HTTP without an end', { kind: 'garbage', bytes: `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}` }],
  ['JSON cut short', { kind: 'garbage', bytes: http('application/json', '{"jsonrpc":"2.0","id":1,"resu') }],
  [
    'an answer nobody asked for',
    { kind: 'garbage', bytes: http('application/json', '{"jsonrpc":"2.0","id":9e9,"result":{}}') },
  ],
  ['a result of the wrong kind', { kind: 'garbage', bytes: http('application/json', '[[[[null]]]]') }],
  [
    'an event stream of nonsense',
    { kind: 'garbage', bytes: http('text/event-stream', 'data: {\n\nid\n\nevent: \u0000\n\n') },
  ],
  ['a page of HTML', { kind: 'garbage', bytes: http('text/html', '<html>sign in to the hotel network</html>') }],
]

function http(type: string, body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}

const network: Fault = {
  fault: 'a network that fails',
  points: [
    // Two of those that use up the budget of a call are enough for a short run.
    ...kinds.map(([name, fault]) => ({ ...duringCalls(name, fault), long: /nobody asked|nonsense/.test(name) })),
    ...kinds.map(([name, fault]) => ({ ...duringHandshake(name, fault), long: true })),
    {
      point: 'cut during a call',
      async inject(scene) {
        const call = callEnds(scene, 'sleep', { ms: 1_500 })
        await sleep(300)
        scene.wire.become({ kind: 'cut' })
        await call
        scene.wire.become({ kind: 'none' })
      },
    },
    {
      point: 'gone and back five times',
      async inject(scene) {
        for (let round = 0; round < 5; round++) {
          scene.wire.become({ kind: 'cut' })
          await callEnds(scene, 'echo', { text: 'x' })
          scene.wire.become({ kind: 'none' })
          await sleep(20)
        }
      },
    },
    {
      point: 'a server that forgets its sessions',
      async inject(scene) {
        scene.peer.sessions.clear()
        await eventually('it is called again', async () => (await scene.echo(servers.net, 'y')) === 'y')
      },
    },
  ],
}

/** Networks and remote servers that misbehave. */
export const networks: readonly Fault[] = [network]
