import { expect, test } from 'vitest'
import { isConcurrencySafe } from './concurrency.ts'

test.each([
  ['search_repositories', true],
  ['get_pull_request', true],
  ['list-merge', false],
  ['getUser', true],
  ['get_and_delete', false],
  ['deleteUser', false],
  ['query.database', true],
  ['run_query', false],
  ['git_commit', false],
  ['whatever', false],
  ['proxy_intercept_status', true],
  ['analyze_diff', true],
  ['', false],
])('%s may overlap: %s', (name, expected) => {
  expect(isConcurrencySafe(name)).toBe(expected)
})

test('annotations are a hint: they make serial, stand in for a verb, and never outweigh a writing verb', () => {
  expect(isConcurrencySafe('get_user', { readOnlyHint: false })).toBe(false)
  expect(isConcurrencySafe('get_user', { destructiveHint: true })).toBe(false)
  expect(isConcurrencySafe('weather', { readOnlyHint: true })).toBe(true)
  expect(isConcurrencySafe('delete_user', { readOnlyHint: true })).toBe(false)
  expect(isConcurrencySafe('weather', { readOnlyHint: 'yes' })).toBe(false)
})
