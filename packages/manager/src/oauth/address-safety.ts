import { BlockList, isIP } from 'node:net'
import { isLoopbackHost } from './loopback.ts'

/**
 * How far requests of one server's flow may reach: this machine and beyond, the private network and beyond, or only public
 * addresses. `machine by name`: this machine too, but not by its own addresses, where no certificate is asked for: whoever
 * owns a name decides from one moment to the next what it leads to.
 */
export type Reach = 'machine' | 'machine by name' | 'network' | 'internet'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Networks of the IANA special-purpose registries (RFC 6890) that people run services in. */
const privateNetworks = new BlockList()
for (const [network, bits] of [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
] as const) {
  privateNetworks.addSubnet(network, bits, 'ipv4')
}
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

/** Addresses no OAuth endpoint ever has: link-local (cloud metadata), unspecified, multicast, reserved, translated. */
const neverUsed = new BlockList()
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  neverUsed.addSubnet(network, bits, 'ipv4')
}
neverUsed.addAddress('::', 'ipv6')
for (const [network, bits] of [
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  neverUsed.addSubnet(network, bits, 'ipv6')
}

/** `public`, `private`, `loopback`, or `forbidden` for addresses no service is reached by. */
export type AddressKind = 'public' | 'private' | 'loopback' | 'forbidden'

/** Sorts an IP address. IPv4 addresses mapped into IPv6 are sorted as the IPv4 address they are. */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '')
  const version = isIP(bare)
  if (version === 0) return 'forbidden'
  const family = version === 4 ? 'ipv4' : 'ipv6'
  if (loopback.check(bare, family)) return 'loopback'
  if (neverUsed.check(bare, family)) return 'forbidden'
  return privateNetworks.check(bare, family) ? 'private' : 'public'
}

/**
 * What the addresses of an MCP server allow its metadata to point at: a server on this machine may name anything, one
 * in a private network may name private and public addresses, a public one only public addresses.
 */
export function reachOf(kinds: readonly AddressKind[]): Reach {
  if (kinds.length > 0 && kinds.every((kind) => kind === 'loopback')) return 'machine'
  return kinds.length > 0 && kinds.every((kind) => kind === 'private') ? 'network' : 'internet'
}

/** Whether a request may go to an address of that kind. */
export function isWithin(kind: AddressKind, reach: Reach): boolean {
  switch (kind) {
    case 'public':
      return true
    case 'private':
      return reach !== 'internet'
    case 'loopback':
      return reach === 'machine' || reach === 'machine by name'
    case 'forbidden':
      return false
    default:
      return kind satisfies never
  }
}

/** Why a URL cannot be used in the flow, or nothing: https anywhere, http on loopback only, no credentials in it. */
export function urlFault(url: URL): string | undefined {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `it is not http or https (${url.protocol}…)`
  if (url.username !== '' || url.password !== '') return 'it holds a user name or password'
  if (url.protocol === 'http:' && !isLoopbackHost(url.hostname)) return 'it is not encrypted: https is needed'
  return undefined
}

/** The kind of a URL's host when it can be told without asking DNS. */
export function literalKind(url: URL): AddressKind | undefined {
  const bare = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return addressKind(bare)
  return isLoopbackHost(url.hostname) ? 'loopback' : undefined
}
