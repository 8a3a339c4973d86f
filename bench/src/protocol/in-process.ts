import { PassThrough } from 'node:stream'
import { alternate, goalRow, shortestOf, timed, type Measure, type Row } from '../../harness/index.ts'
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

/** Milliseconds of `count` round trips with a fixed number in flight. */
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
    return milliseconds
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
    const measures = Object.fromEntries(
      names.map((subject) => [subject, shortestOf(3, roundTrips(subject, inFlight, count))]),
    )
    const comparison = await alternate(measures, 15, 2)
    const speeds = names.map((subject) => `${subject} ${Math.round(count / comparison.median(subject))} k/s`)
    progress(`${name}: ${speeds.join(', ')}`)
    rows.push(
      goalRow(`${name}: to the published transport`, comparison.ratio('published', 'ours'), '×', { atLeast: goal }),
    )
    if (!all) continue
    const fastest = others.toSorted((a, b) => comparison.median(a) - comparison.median(b))[0]!
    rows.push(
      goalRow(`${name}: to the fastest other (${fastest})`, comparison.ratio(fastest, 'ours'), '×', { atLeast: 1 }),
    )
  }
  return rows
}
