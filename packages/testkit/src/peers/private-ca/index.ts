import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** File of the authority, for `NODE_EXTRA_CA_CERTS`. Nothing on a machine trusts it by itself; its own key was thrown away. */
export const privateCaFile = file('ca.pem')

/**
 * Key and certificate of a server on 127.0.0.1 or localhost, signed by that authority and good for a hundred years. For tests
 * alone: the key is public.
 */
export const privateCertificate = (): { key: string; cert: string } => ({
  key: readFileSync(file('server-key.pem'), 'utf8'),
  cert: readFileSync(file('server.pem'), 'utf8'),
})
