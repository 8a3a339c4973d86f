import { expect, test } from 'vitest'
import { isLoopbackHostname, judgeHost, judgeOrigin } from './fence.ts'

const publicOrigins = ['https://harness.example', 'http://box.lan:8080', 'https://[2001:db8::1]:8443']

test.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.9.8.7', true],
  ['[::1]', true],
  ['localhost.example', false],
  ['127.0.0.1.example', false],
  ['0.0.0.0', false],
  ['10.0.0.1', false],
])('hostname %s is loopback: %s', (hostname, expected) => {
  expect(isLoopbackHostname(hostname)).toBe(expected)
})

test.each([
  ['localhost:3000', 'loopback'],
  ['LOCALHOST', 'loopback'],
  ['127.0.0.1:1', 'loopback'],
  ['0x7f.0.0.1', 'loopback'],
  ['[::1]:80', 'loopback'],
  ['harness.example', 'public'],
  ['harness.example:443', 'public'],
  ['Harness.Example', 'public'],
  ['harness.example:8080', 'foreign'],
  ['box.lan:8080', 'public'],
  ['box.lan', 'foreign'],
  ['[2001:db8::1]:8443', 'public'],
  ['evil.example', 'foreign'],
  ['evil.example@localhost', 'foreign'],
  ['localhost/evil.example', 'foreign'],
  ['localhost evil', 'foreign'],
  ['127.0.0.1.evil.example', 'foreign'],
  ['', 'foreign'],
  [undefined, 'foreign'],
])('Host %j is %s', (host, expected) => {
  expect(judgeHost(host, publicOrigins)).toBe(expected)
})

test.each([
  [{ host: 'localhost:3000' }, 'none'],
  [{ host: 'localhost:3000', secFetchSite: 'same-origin' }, 'none'],
  [{ host: 'localhost:3000', secFetchSite: 'cross-site' }, 'foreign'],
  [{ host: 'localhost:3000', origin: 'http://localhost:3000' }, 'same'],
  [{ host: 'harness.example', origin: 'https://harness.example' }, 'same'],
  [{ host: 'localhost:3000', origin: 'http://localhost:6274' }, 'loopback'],
  [{ host: 'localhost:3000', origin: 'http://127.0.0.1:3000' }, 'loopback'],
  [{ host: 'localhost:3000', origin: 'https://harness.example' }, 'public'],
  [{ host: 'localhost:3000', origin: 'http://harness.example' }, 'foreign'],
  [{ host: 'evil.example', origin: 'http://evil.example' }, 'foreign'],
  [{ host: 'localhost:3000', origin: 'null' }, 'foreign'],
  [{ host: 'localhost:3000', origin: '' }, 'foreign'],
  [{ host: 'localhost:3000', origin: 'http://localhost:3000/path' }, 'foreign'],
  [{ host: 'localhost:3000', origin: 'http://user@localhost:3000' }, 'foreign'],
  [{ host: 'localhost:3000', origin: 'file://' }, 'foreign'],
  [{ host: 'localhost:3000', origin: 'chrome-extension://abc' }, 'foreign'],
])('%j is %s', (headers, expected) => {
  expect(judgeOrigin(headers, publicOrigins)).toBe(expected)
})
