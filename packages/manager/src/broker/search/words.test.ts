import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokens } from './words.ts'

const said = (text: string) =>
  tokens(text).map((token) => (token.kind === 'word' ? [token.term, ...token.parts].join('+') : token.terms.join('+')))

describe('tokens', () => {
  it.each([
    ['get_current-stock.price', ['get', 'current', 'stock', 'price']],
    ['getBaziDetail', ['getbazidetail+get+bazi+detail']],
    ['PDFReader', ['pdfreader+pdf+reader']],
    ['parseXMLFile', ['parsexmlfile+parse+xml+file']],
    ['get-36kr-news', ['get', '36kr+36+kr', 'news']],
    ['OAuth2', ['oauth2+o+auth+2']],
    ['ＰＤＦ　ｆｉｌｅｓ', ['pdf', 'file']],
    ['ﬁle', ['file']],
    ['naïve café', ['naïve', 'café']],
    ['查天气weather预报', ['查+天气', 'weather', '预报']],
    ['---', []],
    ['', []],
  ])('cuts %j', (text, expected) => expect(said(text)).toEqual(expected))

  it('gives all character pairs of a Chinese run', () => {
    const [run] = tokens('思维导图')
    expect(run).toMatchObject({ kind: 'cjk', surface: '思维导图', pairs: ['思维', '维导', '导图'] })
  })

  it.each(['𖿢', '⺀', 'ー', '々'])('reads the odd character %s', (text) => expect(tokens(text).length).toBeLessThan(2))

  it('reads any text, without blanks and marks in what it finds, and twice the same', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        const once = tokens(text)
        expect(tokens(text)).toEqual(once)
        for (const token of once) expect(token.surface).not.toMatch(/[\s\p{P}]|^$/u)
      }),
    )
  })
})
