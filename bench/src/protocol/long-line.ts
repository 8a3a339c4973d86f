import { PassThrough, Readable } from 'node:stream'
import { alternate, contextRow, goalRow, shortestOf, timed, type Measure, type Row } from '../../harness/index.ts'
import { others, subjects, type SubjectName } from './subjects.ts'

const KIB = 1024
const MIB = 1024 * KIB

/** A notification whose line is `bytes` long, with its newline, cut into chunks of their own memory. */
function chunksOf(bytes: number, chunkBytes: number, name?: SubjectName): readonly Buffer[] {
  const start = '{"jsonrpc":"2.0","method":"note","params":{"text":"'
  const body = `${start}${'x'.repeat(bytes - start.length - 4)}"}}`
  const line = name === 'vscode' ? `Content-Length: ${body.length}\r\n\r\n${body}` : `${body}\n`
  const whole = Buffer.from(line)
  const chunks: Buffer[] = []
  for (let from = 0; from < whole.length; from += chunkBytes) {
    chunks.push(Buffer.from(whole.subarray(from, from + chunkBytes)))
  }
  return chunks
}

/** Milliseconds from the first chunk to the call of the handler. */
function arrival(name: SubjectName, bytes: number, chunkBytes: number): Measure {
  const chunks = chunksOf(bytes, chunkBytes, name)
  return () => {
    const rest = chunks.values()
    const input = new Readable({
      read() {
        const { done, value } = rest.next()
        this.push(done === true ? null : value)
      },
    })
    return timed(
      () => new Promise<unknown>((resolve) => subjects[name](input, new PassThrough()).onNotification(resolve)),
    )
  }
}

/** The least that any reader of whole JSON lines has to do with these bytes. */
function limit(bytes: number, chunkBytes: number): Measure {
  const chunks = chunksOf(bytes, chunkBytes)
  return () => timed(() => JSON.parse(Buffer.concat(chunks).toString()))
}

export async function longLine(progress: (text: string) => void): Promise<readonly Row[]> {
  const own = await alternate(
    {
      ours16: shortestOf(3, arrival('ours', 16 * MIB, 64 * KIB)),
      limit16: shortestOf(3, limit(16 * MIB, 64 * KIB)),
      ours4: shortestOf(3, arrival('ours', 4 * MIB, 64 * KIB)),
      limit4: shortestOf(3, limit(4 * MIB, 64 * KIB)),
      ours4Small: shortestOf(3, arrival('ours', 4 * MIB, 512)),
    },
    15,
    2,
  )
  progress(
    `one line: 16 MiB ${own.median('ours16').toFixed(1)} ms (limit ${own.median('limit16').toFixed(1)} ms), ` +
      `4 MiB ${own.median('ours4').toFixed(1)} ms, in 512 B chunks ${own.median('ours4Small').toFixed(1)} ms`,
  )
  const both = await alternate(
    {
      ours: shortestOf(2, arrival('ours', 16 * MIB, 64 * KIB)),
      published: shortestOf(2, arrival('published', 16 * MIB, 64 * KIB)),
    },
    5,
    0,
  )
  progress(`one 16 MiB line: published ${both.median('published').toFixed(0)} ms`)
  const rows = [
    goalRow('16 MiB line in 64 KiB chunks: to the published transport', both.ratio('published', 'ours'), '×', {
      atLeast: 60,
    }),
    goalRow('16 MiB line in 64 KiB chunks: of concat + decode + parse', own.ratio('ours16', 'limit16'), '×', {
      atMost: 1.5,
    }),
    goalRow('line of 16 MiB to line of 4 MiB', own.ratio('ours16', 'ours4'), '×', { atMost: 5 }),
    goalRow('4 MiB line: 512 B chunks to 64 KiB chunks', own.ratio('ours4Small', 'ours4'), '×', { atMost: 2 }),
    contextRow('line of 16 MiB to line of 4 MiB: concat + decode + parse', own.ratio('limit16', 'limit4'), '×'),
    contextRow('16 MiB line in 64 KiB chunks: ours', own.median('ours16'), 'ms'),
  ]
  for (const name of others) {
    const milliseconds = await arrival(name, 16 * MIB, 64 * KIB)()
    rows.push(contextRow(`16 MiB line in 64 KiB chunks: ${name} (one run)`, milliseconds, 'ms'))
  }
  return rows
}
