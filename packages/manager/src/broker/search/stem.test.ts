import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'

describe('stem', () => {
  it.each([
    ['logs', 'log'],
    ['queries', 'query'],
    ['addresses', 'address'],
    ['databases', 'database'],
    ['branches', 'branch'],
    ['caches', 'cache'],
    ['statuses', 'status'],
    ['movies', 'movie'],
    ['trendings', 'trend'],
    ['running', 'run'],
    ['making', 'make'],
    ['generated', 'generate'],
    ['resolving', 'resolve'],
    ['balanced', 'balance'],
    ['configured', 'configure'],
    ['merging', 'merge'],
    ['handled', 'handle'],
    ['tested', 'test'],
    ['explained', 'explain'],
    ['planned', 'plan'],
    ['scrolled', 'scroll'],
    ['copied', 'copy'],
    ['using', 'use'],
  ])('brings %s to %s', (word, expected) => expect(stem(word)).toBe(expected))

  it.each(['bus', 'status', 'news', 'analysis', 'string', 'thing', 'spring', 'during', 'speed', 'need', 'kubernetes'])(
    'leaves %s as it is',
    (word) => expect(stem(word)).toBe(word),
  )

  it.each([
    ['planes', 'plans'],
    ['universal', 'university'],
    ['news', 'new'],
    ['evening', 'even'],
    ['hoping', 'hopping'],
    ['organization', 'organ'],
    ['states', 'status'],
    ['posting', 'position'],
    ['things', 'thin'],
    ['bases', 'basis'],
  ])('keeps %s and %s apart', (left, right) => expect(stem(left)).not.toBe(stem(right)))

  it('never empties a word, and leaves what is not a–z alone', () => {
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,15}$/), (word) => stem(word).length > 0))
    fc.assert(fc.property(fc.stringMatching(/^[a-z]*[0-9é中][a-z0-9]*$/), (word) => stem(word) === word))
  })
})
