import { expect, test } from 'vitest'
import { expandReferences } from './references.ts'

const environment = { HOME: '/home/u', EMPTY: '', TOKEN: 'a$b${HOME}' }

test.each([
  ['plain', 'plain', []],
  ['${HOME}/x', '/home/u/x', []],
  ['${NOPE:-fallback}', 'fallback', []],
  ['${NOPE:-}', '', []],
  ['${EMPTY:-fallback}', 'fallback', []],
  ['${EMPTY}', '', []],
  ['${NOPE}', '', ['NOPE']],
  ['$${HOME}', '${HOME}', []],
  ['$$${HOME}', '$${HOME}', []],
  ['$HOME ${} ${1X} ${HOME', '$HOME ${} ${1X} ${HOME', []],
  ['${TOKEN}', 'a$b${HOME}', []],
  ['Bearer ${A} ${B}', 'Bearer  ', ['A', 'B']],
])('%s → %s', (text, value, missing) => {
  expect(expandReferences(text, environment)).toEqual({ value, missing })
})
