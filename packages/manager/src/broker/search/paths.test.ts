import { describe, expect, it } from 'vitest'
import { takeOutPaths } from './paths.ts'

describe('takeOutPaths', () => {
  it.each([
    ['save it to /data/markdown/rome.md', ['md']],
    ['read "/data/pdf/Web Arena" and ./notes/a.docx.', ['directory', 'docx']],
    ['把 ~/图.png 和 (C:\\work\\a.xlsx) 合并', ['xlsx']],
    ['merge a.pdf and b.pdf', ['pdf']],
    ['look in /data/git', ['directory']],
  ])('finds the files of %j', (query, kinds) => expect(takeOutPaths(query).kinds).toEqual(kinds))

  it.each([
    'use Next.js middleware'.replace('Next.js', 'shadcn/ui'),
    'open https://www.apple.com/iphone-16/ now',
    'either/or and 24/7',
    'write to me@mail.example.com',
    'version 1.2.3',
  ])('leaves %j alone', (query) => expect(takeOutPaths(query)).toEqual({ text: query, kinds: [] }))
})
