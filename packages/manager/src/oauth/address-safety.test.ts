import { describe, expect, test } from 'vitest'
import { addressKind, isWithin, literalKind, reachOf, urlFault } from './address-safety.ts'

describe('kind of an address', () => {
  test.each([
    ['8.8.8.8', 'public'],
    ['2606:4700::1111', 'public'],
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['::1', 'loopback'],
    ['[::1]', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['::ffff:7f00:1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['172.16.0.1', 'private'],
    ['172.32.0.1', 'public'],
    ['192.168.1.1', 'private'],
    ['100.64.0.1', 'private'],
    ['fd00::1', 'private'],
    ['::ffff:10.0.0.1', 'private'],
    ['169.254.169.254', 'forbidden'],
    ['::ffff:169.254.169.254', 'forbidden'],
    ['fe80::1%eth0', 'forbidden'],
    ['0.0.0.0', 'forbidden'],
    ['::', 'forbidden'],
    ['224.0.0.1', 'forbidden'],
    ['255.255.255.255', 'forbidden'],
    ['64:ff9b::7f00:1', 'forbidden'],
    ['2002:7f00:1::', 'forbidden'],
    ['not an address', 'forbidden'],
  ])('%s is %s', (address, kind) => {
    expect(addressKind(address)).toBe(kind)
  })
})

test('odd spellings of loopback are loopback once the URL is parsed', () => {
  for (const host of [
    '127.1',
    '0x7f.0.0.1',
    '2130706433',
    '017700000001',
    '[::ffff:127.0.0.1]',
    'LOCALHOST',
    'a.localhost',
  ]) {
    expect(literalKind(new URL(`http://${host}/`)), host).toBe('loopback')
  }
  expect(literalKind(new URL('http://localhost.evil.example/'))).toBeUndefined()
})

test('reach: a server may only point where it could be itself, or further out', () => {
  const table = {
    machine: ['public', 'private', 'loopback'],
    'machine by name': ['public', 'private', 'loopback'],
    network: ['public', 'private'],
    internet: ['public'],
  } as const
  for (const reach of ['machine', 'machine by name', 'network', 'internet'] as const) {
    for (const kind of ['public', 'private', 'loopback', 'forbidden'] as const) {
      expect(isWithin(kind, reach)).toBe(table[reach].some((allowed) => allowed === kind))
    }
  }
  expect(reachOf(['loopback'])).toBe('machine')
  expect(reachOf(['private', 'private'])).toBe('network')
  expect(reachOf(['private', 'public'])).toBe('internet')
  expect(reachOf(['loopback', 'public'])).toBe('internet')
  expect(reachOf([])).toBe('internet')
})

test.each([
  ['https://as.example/token', undefined],
  ['http://127.0.0.1:1/token', undefined],
  ['http://[::1]:1/token', undefined],
  ['http://as.example/token', /not encrypted/],
  ['javascript:alert(1)', /not http/],
  ['file:///etc/passwd', /not http/],
  ['https://user:pass@as.example/', /user name/],
])('fault of %s', (url, fault) => {
  if (fault === undefined) expect(urlFault(new URL(url))).toBeUndefined()
  else expect(urlFault(new URL(url))).toMatch(fault)
})
