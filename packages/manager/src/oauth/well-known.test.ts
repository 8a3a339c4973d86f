import { describe, expect, test } from 'vitest'
import { authorizationServerMetadataUrls, guessedEndpoints, protectedResourceMetadataUrls } from './well-known.ts'

const hrefs = (urls: readonly URL[]) => urls.map((url) => url.href)

describe('protected-resource metadata', () => {
  test.each([
    [
      'https://api.example/mcp',
      [
        'https://api.example/.well-known/oauth-protected-resource/mcp',
        'https://api.example/.well-known/oauth-protected-resource',
      ],
    ],
    ['https://api.example/', ['https://api.example/.well-known/oauth-protected-resource']],
    ['https://api.example', ['https://api.example/.well-known/oauth-protected-resource']],
    [
      'https://api.example:8443/a/b/',
      [
        'https://api.example:8443/.well-known/oauth-protected-resource/a/b',
        'https://api.example:8443/.well-known/oauth-protected-resource',
      ],
    ],
    [
      'https://api.example/mcp?tenant=1',
      [
        'https://api.example/.well-known/oauth-protected-resource/mcp?tenant=1',
        'https://api.example/.well-known/oauth-protected-resource',
      ],
    ],
  ])('%s', (server, expected) => {
    expect(hrefs(protectedResourceMetadataUrls(new URL(server)))).toEqual(expected)
  })

  test('the named URL comes first, untouched and only once', () => {
    const named = new URL('https://meta.example/x/.well-known/oauth-protected-resource?v=1')
    expect(hrefs(protectedResourceMetadataUrls(new URL('https://api.example/mcp'), named))[0]).toBe(named.href)
    const same = new URL('https://api.example/.well-known/oauth-protected-resource')
    expect(hrefs(protectedResourceMetadataUrls(new URL('https://api.example/mcp'), same))).toEqual([
      same.href,
      'https://api.example/.well-known/oauth-protected-resource/mcp',
    ])
  })
})

describe('authorization server metadata', () => {
  test.each([
    [
      'https://github.com/login/oauth',
      [
        'https://github.com/.well-known/oauth-authorization-server/login/oauth',
        'https://github.com/.well-known/openid-configuration/login/oauth',
        'https://github.com/login/oauth/.well-known/openid-configuration',
        'https://github.com/login/oauth/.well-known/oauth-authorization-server',
      ],
    ],
    [
      'https://as.example',
      [
        'https://as.example/.well-known/oauth-authorization-server',
        'https://as.example/.well-known/openid-configuration',
      ],
    ],
    [
      'https://as.example/',
      [
        'https://as.example/.well-known/oauth-authorization-server',
        'https://as.example/.well-known/openid-configuration',
      ],
    ],
  ])('%s', (issuer, expected) => {
    expect(hrefs(authorizationServerMetadataUrls(new URL(issuer)))).toEqual(expected)
  })
})

test('the guess stays on the origin', () => {
  expect(guessedEndpoints(new URL('https://api.example/v1/mcp?x=1'))).toEqual({
    issuer: 'https://api.example',
    authorization_endpoint: 'https://api.example/oauth/authorize',
    token_endpoint: 'https://api.example/oauth/token',
    registration_endpoint: 'https://api.example/register',
  })
})
