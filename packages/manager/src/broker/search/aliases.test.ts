import { describe, expect, it } from 'vitest'
import { ALIAS_GROUPS } from './alias-groups.ts'
import { aliasesOf, aliasWordsIn } from './aliases.ts'

const said = (key: string) => aliasesOf(key).map((phrase) => phrase.join(' '))

describe('alias groups', () => {
  it.each(ALIAS_GROUPS)('%s is well formed', (group) => {
    const parts = group.split('|')
    expect(parts).toHaveLength(2)
    const [chinese, english] = parts.map((part) => part.split(' ').filter((word) => word !== ''))
    for (const word of chinese!) expect(word).toMatch(/\p{Script=Han}/u)
    for (const word of english!) expect(word).toMatch(/^[a-z0-9]+(?:_[a-z0-9]+)*$/)
    const words = [...chinese!, ...english!]
    expect(words.length).toBeGreaterThan(1)
    expect(new Set(words).size).toBe(words.length)
  })

  it('holds each group once', () => expect(new Set(ALIAS_GROUPS).size).toBe(ALIAS_GROUPS.length))
})

describe('aliasesOf', () => {
  it.each([
    ['日志', 'log'],
    ['log', '日志'],
    ['天气预报', 'weather forecast'],
    ['weather forecast', '天气预报'],
    ['思维导图', 'mind map'],
    ['image', 'photo'],
    ['合并', 'merge'],
  ])('knows %s as %s', (key, other) => expect(said(key)).toContain(other))

  it('gives indexed forms, so that plurals meet', () => expect(said('指标')).toContain('metric'))
  it('does not name the word itself', () => expect(said('image')).not.toContain('image'))
  it('knows nothing of other words', () => expect(aliasesOf('zebra')).toEqual([]))
})

describe('aliasWordsIn', () => {
  it('takes the longest word at each place', () =>
    expect(aliasWordsIn('看天气预报', new Set([0]))).toEqual([
      { at: 0, word: '看' },
      { at: 1, word: '天气预报' },
    ]))
  it('takes one character only where it stands alone', () => {
    expect(aliasWordsIn('好看', new Set())).toEqual([])
    expect(aliasWordsIn('写字', new Set([0]))).toEqual([{ at: 0, word: '写' }])
  })
})
