import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignToolNames, legacyToolName, meansTool, publicToolName } from './names.ts'

test.each([
  ['github', 'create_issue', 'mcp__github__create_issue'],
  ['tiny', 'a.very/odd name', 'mcp__tiny__a_very_odd_name_a15c50195c1b'],
  ['s', '', 'mcp__s__'],
  ['s', 'x'.repeat(56), `mcp__s__${'x'.repeat(56)}`],
])('%s and %s give %s', (server, raw, name) => {
  expect(publicToolName(server, raw)).toBe(name)
})

test('a name of 65 characters is cut to 51 and hashed', () => {
  const name = publicToolName('s', 'x'.repeat(57))
  expect(name).toHaveLength(64)
  expect(name).toMatch(new RegExp(`^mcp__s__${'x'.repeat(43)}_[0-9a-f]{12}$`))
})

test('two raw names that clean to the same letters stay two tools', () => {
  expect(publicToolName('s', 'a.b')).not.toBe(publicToolName('s', 'a_b'))
  expect(publicToolName('s', '查询')).not.toBe(publicToolName('s', '删除'))
})

test('names saved by earlier plugins mean the same tool', () => {
  expect(legacyToolName('s', 'a.b')).toBe('mcp__s__a_b')
  for (const name of ['a.b', 'mcp__s__a_b', publicToolName('s', 'a.b')]) expect(meansTool(name, 's', 'a.b')).toBe(true)
  expect(meansTool('mcp__s__a_c', 's', 'a.b')).toBe(false)
})

test('a raw name that spells another tool’s hashed name gets its own hash, whatever the order', () => {
  const spelled = publicToolName('s', 'a.b').slice('mcp__s__'.length)
  const one = assignToolNames('s', ['a.b', spelled])
  const other = assignToolNames('s', [spelled, 'a.b'])
  expect(new Set(one.values()).size).toBe(2)
  expect(one.get('a.b')).toBe(other.get('a.b'))
  expect(one.get(spelled)).toBe(other.get(spelled))
})

test('names are always valid and distinct', () => {
  const names = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 90 })), { maxLength: 20 })
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,32}$/), names, (server, raws) => {
      const assigned = [...assignToolNames(server, raws).values()]
      expect(new Set(assigned).size).toBe(new Set(raws).size)
      for (const name of assigned) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    }),
  )
})
