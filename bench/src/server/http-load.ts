import { connect } from 'node:net'
import type { Socket } from 'node:net'

export interface Load {
  readonly perSecond: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
}

/**
 * Sends one request over and over on `concurrency` kept-alive connections for `durationMs`, the next when the answer is
 * complete. A client this thin leaves the time to the server.
 */
export async function load(url: string, request: Buffer, concurrency: number, durationMs: number): Promise<Load> {
  const { hostname, port } = new URL(url)
  const sockets = await Promise.all(Array.from({ length: concurrency }, () => open(hostname, Number(port))))
  const latencies: number[] = []
  const started = performance.now()
  const until = started + durationMs
  await Promise.all(sockets.map((socket) => repeat(socket, request, until, latencies)))
  const elapsed = performance.now() - started
  for (const socket of sockets) socket.destroy()
  return { perSecond: (latencies.length / elapsed) * 1000, ...percentiles(latencies) }
}

export function percentiles(latencies: readonly number[]): { p50: number; p99: number } {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99) }
}

function open(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

function repeat(socket: Socket, request: Buffer, until: number, latencies: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    let sent = performance.now()
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`the server closed the connection after ${text.slice(0, 200)}`)))
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      if (!isComplete(text)) return
      if (!text.startsWith('HTTP/1.1 200') || !text.includes('"result"')) return reject(new Error(text))
      const now = performance.now()
      latencies.push(now - sent)
      text = ''
      if (now >= until) {
        socket.removeAllListeners('close')
        return resolve()
      }
      sent = now
      socket.write(request)
    })
    socket.write(request)
  })
}

function isComplete(text: string): boolean {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /\ncontent-length: (\d+)/i.exec(text.slice(0, end))
  return length === null ? text.endsWith('0\r\n\r\n') : text.length >= end + 4 + Number(length[1])
}
