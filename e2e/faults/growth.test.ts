import { expect, test } from 'vitest'
import { afterRest, figuresOf, grew, moreOf, type LoadSample } from './growth.ts'

const still = {
  live: 60,
  resident: 200,
  handles: 30,
  resources: 40,
  processes: 1,
  kinds: { Timeout: 30, TCPSocketWrap: 10 },
}

/** Twelve samples, 30 s apart, of what `held` says of each. */
function samplesOf(held: (index: number) => Partial<LoadSample>): readonly LoadSample[] {
  return Array.from({ length: 12 }, (_, index) => ({ ...still, ...held(index), seconds: index * 30 }))
}

const grown = (samples: readonly LoadSample[], seconds = 330): readonly string[] =>
  figuresOf(samples, seconds)
    .filter(grew)
    .map(({ what }) => what)

test('what goes up and down is flat', () => {
  expect(
    grown(samplesOf((index) => ({ live: 60 + (index % 4), handles: 30 + (index % 7), resources: 40 + (index % 5) }))),
  ).toEqual([])
})

test.each([
  ['live', 'MiB of live objects', 2],
  ['resident', 'MiB resident', 10],
  ['handles', 'open handles', 2],
  ['resources', 'active resources', 2],
  ['processes', 'server processes', 1],
] as const)('%s that grow with every sample have grown', (key, what, step) => {
  expect(grown(samplesOf((index) => ({ [key]: still[key] + index * step })))).toEqual([what])
})

test('what happened in the first quarter is warm-up', () => {
  expect(grown(samplesOf((index) => ({ resources: index < 3 ? 10 : 40 })))).toEqual([])
})

test('memory is judged only in a load of a minute or more', () => {
  expect(
    grown(
      samplesOf((index) => ({ live: 60 + index * 5 })),
      59,
    ),
  ).toEqual([])
})

test('what has gone after a rest had not leaked; what is left has', () => {
  const figures = figuresOf(
    samplesOf((index) => ({ resources: 40 + index * 4, handles: 30 + index * 3 })),
    330,
  )
  const rested = afterRest(figures, { ...still, resources: 42, handles: 60 })
  expect(rested.filter(grew).map(({ what, end }) => [what, end])).toEqual([['open handles', 60]])
  expect(rested.find(({ what }) => what === 'active resources')).toMatchObject({ end: 42 })
})

test('the kinds of which there are more are named', () => {
  const later = { ...still, kinds: { Timeout: 30, TCPSocketWrap: 48, Pipe: 1 } }
  expect(moreOf(still, later)).toBe('TCPSocketWrap +38, Pipe +1')
})
