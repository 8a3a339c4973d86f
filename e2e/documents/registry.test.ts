import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { allSnippets, claims, proofs } from './proofs.ts'
import type { ProofName } from './proofs.ts'
import { checkout } from './read.ts'

const names = Object.keys(proofs) as ProofName[]

test('every snippet of every document is tried by exactly one proof', () => {
  const wrong = allSnippets.flatMap((snippet) => {
    const by = names.filter((name) => proofs[name].claims.some((claim) => claims(claim, snippet)))
    const { document, line, info, text } = snippet
    return by.length === 1 ? [] : [`${document}:${line} (${info}) ${text.split('\n')[0]} → ${by.join(', ') || 'none'}`]
  })
  expect(wrong, 'add what is new to e2e/documents/proofs.ts, and to the test named there').toEqual([])
  expect(allSnippets.length).toBeGreaterThan(100)
})

describe.each(names)('%s', (name) => {
  test('finds what it claims, and its test asks for it', () => {
    for (const claim of proofs[name].claims)
      expect(
        allSnippets.filter((snippet) => claims(claim, snippet)),
        JSON.stringify(claim),
      ).not.toEqual([])
    const source = readFileSync(join(checkout, proofs[name].test), 'utf8')
    expect(source.includes(`snippetsFor('${name}'`), `${proofs[name].test} asks for its snippets`).toBe(true)
  })
})
