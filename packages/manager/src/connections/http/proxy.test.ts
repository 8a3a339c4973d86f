import { expect, test } from 'vitest'
import { proxyFor } from './proxy.ts'

test.each([
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://a.example/', { https_proxy: 'http://small:1', HTTPS_PROXY: 'http://p:1' }, 'http://small:1'],
  ['https://a.example/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://a.example/', { ALL_PROXY: 'p:1' }, 'http://p:1'],
  ['https://a.example/', { all_proxy: 'socks5h://p:1' }, 'socks5://p:1'],
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, .example' }, undefined],
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:8443' }, 'http://p:1'],
  ['https://a.example:8443/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:8443' }, undefined],
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['https://notexample/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example' }, 'http://p:1'],
  ['http://localhost:1/', { HTTP_PROXY: 'http://p:1' }, undefined],
])('proxy for %s with %j', (url, environment, expected) => {
  expect(proxyFor(new URL(url), environment)).toBe(expected)
})
