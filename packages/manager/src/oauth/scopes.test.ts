import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chooseScope, missingScopes, scopeTokens, unionOfScopes } from './scopes.ts'

const everything = {
  configured: 'conf',
  recorded: 'rec',
  challenged: 'chal',
  resourceScopes: ['res1', 'res2'],
  serverScopes: ['srv', 'offline_access'],
}

describe('scope of an authorization request', () => {
  test.each([
    ['configured', everything, 'conf'],
    ['recorded', { ...everything, configured: ' ' }, 'rec'],
    ['challenge', { ...everything, configured: undefined, recorded: undefined }, 'chal'],
    ['resource metadata', { resourceScopes: ['res1', 'res2'], serverScopes: ['srv'] }, 'res1 res2'],
    ['server metadata', { resourceScopes: [], serverScopes: ['srv'] }, 'srv'],
    ['none', {}, undefined],
  ] as const)('from %s', (source, sources, scope) => {
    expect(chooseScope(sources)).toEqual({ scope, source })
  })

  test('a step-up adds the missing scope to what was asked before and to the published base', () => {
    const choice = chooseScope({ resourceScopes: ['read'], askedBefore: 'read profile', needed: 'write' })
    expect(choice.scope).toBe('read profile write')
  })

  test('a step-up keeps configured scopes', () => {
    expect(chooseScope({ configured: 'repo', askedBefore: 'repo', needed: 'read:org' }).scope).toBe('repo read:org')
  })

  test('without a step-up an earlier request adds nothing', () => {
    expect(chooseScope({ challenged: 'a', askedBefore: 'a b' }).scope).toBe('a')
  })

  test('offline_access only when offered, and not beside scopes chosen by hand', () => {
    const serverScopes = ['read', 'offline_access']
    expect(chooseScope({ challenged: 'read', serverScopes, refreshes: true }).scope).toBe('read offline_access')
    expect(chooseScope({ challenged: 'read', serverScopes: ['read'], refreshes: true }).scope).toBe('read')
    expect(chooseScope({ configured: 'read', serverScopes, refreshes: true }).scope).toBe('read')
    expect(chooseScope({ challenged: 'read', serverScopes }).scope).toBe('read')
  })
})

const scope = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 }).map((tokens) => tokens.join(' '))

test('union: nothing lost, nothing twice, order of first mention', () => {
  fc.assert(
    fc.property(scope, scope, (one, two) => {
      const all = scopeTokens(unionOfScopes(one, two))
      expect(new Set(all)).toEqual(new Set([...scopeTokens(one), ...scopeTokens(two)]))
      expect(all.slice(0, scopeTokens(one).length)).toEqual(scopeTokens(one))
      expect(missingScopes(two, unionOfScopes(one, two))).toBeUndefined()
    }),
  )
})
