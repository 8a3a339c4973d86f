import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, NearWords } from './near-words.ts'

const letters = fc.stringMatching(/^[a-z]{0,9}$/)

function words(...known: string[]): NearWords {
  const near = new NearWords()
  for (const word of known) near.add(word)
  return near
}

describe('editDistance', () => {
  it.each([
    ['weather', 'weather', 0],
    ['weather', 'waether', 1],
    ['weather', 'wether', 1],
    ['weather', 'weatther', 1],
    ['weather', 'weathet', 1],
    ['ca', 'abc', 3],
    ['', 'ab', 2],
  ])('of %s and %s is %i', (left, right, distance) => expect(editDistance(left, right, 3)).toBe(distance))

  it('is symmetric, zero only for equal words, and stops at its limit', () => {
    fc.assert(
      fc.property(letters, letters, fc.integer({ min: 0, max: 3 }), (left, right, limit) => {
        const distance = editDistance(left, right, limit)
        expect(editDistance(right, left, limit)).toBe(distance)
        expect(distance === 0).toBe(left === right)
        expect(distance).toBeLessThanOrEqual(limit + 1)
        expect(distance).toBe(Math.min(editDistance(left, right, 20), limit + 1))
      }),
    )
  })
})

describe('NearWords', () => {
  it('finds a word again after any one swap, drop or doubling', () => {
    const near = words('coordinate', 'weather', 'calendar', 'message')
    for (const typo of ['coordniate', 'coordinte', 'coordinnate'])
      expect(near.near(typo)[0]).toEqual({ term: 'coordinate', closeness: 1 })
    expect(near.near('wetaher')[0]?.term).toBe('weather')
  })

  it('forgives two typos from eight letters only', () => {
    const near = words('calendar', 'chart')
    expect(near.near('claendra').map(({ term }) => term)).toEqual(['calendar'])
    expect(near.near('chtra')).toEqual([])
  })

  it('leaves short words and words with other characters alone', () => {
    const near = words('git', 'gif', 'nct04280705')
    expect(near.near('gif')).toEqual([])
    expect(near.near('nct04280706')).toEqual([])
  })

  it('gives five at most, nearest first, in an order that does not depend on the order of adding', () => {
    const known = ['bests', 'tests', 'rests', 'tasty', 'taste', 'nests', 'vests', 'test']
    const one = words(...known).near('testy')
    expect(words(...known.toReversed()).near('testy')).toEqual(one)
    expect(one.map(({ term }) => term)).toEqual(['tasty', 'test', 'tests'])
    expect(words('bests', 'rests', 'nests', 'vests', 'pests', 'zests').near('tests')).toHaveLength(5)
  })

  it('forgets a word', () => {
    const near = words('weather')
    near.delete('weather')
    expect(near.near('wether')).toEqual([])
  })
})
