/**
 * Whether a URL hostname means this machine: `localhost` and its subdomains (RFC 6761 §6.3), 127.0.0.0/8, `[::1]`.
 * The hostname must come from a parsed URL, which has normalized odd spellings of IPv4.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
