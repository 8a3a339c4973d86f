import { PassThrough } from 'node:stream'
import { alternate, goalRow, timed, type Measure, type Row } from '../../harness/index.ts'
import { others, subjectNames, subjects, type Endpoint, type SubjectName } from './subjects.ts'

/** A payload whose frame is about 100 bytes long. */
const payload = { text: 'x'.repeat(30) }

function pair(name: SubjectName): { readonly client: Endpoint; end(): void } {
  const forth = new PassThrough()
  const back = new PassThrough()
  const server = subjects[name](forth, back)
  server.echo()
  const client = subjects[name](back, forth)
  return {
    client,
    end: () => {
      forth.end()
      back.end()
    },
  }
}

/** Round trips per second with a fixed number in flight, over `count` round trips. */
function roundTrips(name: SubjectName, inFlight: number, count: number): Measure {
  return async () => {
    const { client, end } = pair(name)
    const milliseconds = await timed(async () => {
      for (let done = 0; done < count; done += inFlight) {
        if (inFlight === 1) await client.request(payload)
        else await Promise.all(Array.from({ length: inFlight }, () => client.request(payload)))
      }
    })
    end()
    return (count / milliseconds) * 1000
  }
}

const works = [
  { name: 'sequential, 100 B', inFlight: 1, count: 4000, goal: 1.15, all: true },
  { name: '64 in flight, 100 B', inFlight: 64, count: 6400, goal: 1.5, all: true },
  { name: '5000 in flight, 100 B', inFlight: 5000, count: 10_000, goal: 1.4, all: false },
]

export async function inProcess(progress: (text: string) => void): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { name, inFlight, count, goal, all } of works) {
    const names = all ? subjectNames : (['ours', 'published'] as const)
    const measures = Object.fromEntries(names.map((subject) => [subject, roundTrips(subject, inFlight, count)]))
    const comparison = await alternate(measures, 25, 3)
    const speeds = names.map((subject) => `${subject} ${Math.round(comparison.median(subject) / 1000)} k/s`)
    progress(`${name}: ${speeds.join(', ')}`)
    rows.push(
      goalRow(`${name}: to the published transport`, comparison.ratio('ours', 'published'), '×', { atLeast: goal }),
    )
    if (!all) continue
    const fastest = others.toSorted((a, b) => comparison.median(b) - comparison.median(a))[0]!
    rows.push(
      goalRow(`${name}: to the fastest other (${fastest})`, comparison.ratio('ours', fastest), '×', { atLeast: 1 }),
    )
  }
  return rows
}
