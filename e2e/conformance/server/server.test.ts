import { expect, test } from 'vitest'
import { revisions } from '../suite.ts'
import { runFixture, runProduct } from './main.ts'

const requiredCount = { '2026-07-28': 37, '2025-11-25': 30 } as const

test.each(revisions)('the gateway passes everything that %s requires of a server', async (revision) => {
  const { scenarios, exitCode, output } = await runFixture(revision)
  const required = scenarios.filter((scenario) => scenario.required)
  expect(required).toHaveLength(requiredCount[revision])
  expect(required.filter(({ failures }) => failures.length > 0)).toEqual([])
  expect(exitCode, output).toBe(0)
})

test.each(revisions)('the product endpoint fails exactly where %s asks for what it has not', async (revision) => {
  const { scenarios, exitCode, output } = await runProduct(revision)
  expect(exitCode, output).toBe(0)
  const passing = scenarios.filter(({ required, failures }) => required && failures.length === 0)
  expect(passing.map(({ scenario }) => scenario)).toEqual(
    expect.arrayContaining(['tools-list', 'resources-list', 'dns-rebinding-protection']),
  )
})
