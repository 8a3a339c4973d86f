import { expect, test } from 'vitest'
import { assignNames } from './assign-names.ts'

const claims = [
  { id: '1', name: 'files' },
  { id: '2', name: 'files' },
  { id: '3', name: 'odin' },
]

test('global names win, the first claim wins among workspaces', () => {
  const { granted, conflicts } = assignNames(new Set(['odin']), claims, new Set())
  expect([...granted]).toEqual(['1'])
  expect([...conflicts]).toEqual([
    ['2', '1'],
    ['3', 'global'],
  ])
})

test('the holder keeps its name; when it goes, the next one gets it', () => {
  expect([...assignNames(new Set(), claims, new Set(['2'])).granted]).toEqual(['2', '3'])
  expect([...assignNames(new Set(), claims.slice(0, 1), new Set(['2'])).granted]).toEqual(['1'])
})
