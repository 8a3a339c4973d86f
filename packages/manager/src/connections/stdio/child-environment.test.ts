import { expect, test } from 'vitest'
import { childEnvironment } from './child-environment.ts'

const inherited = { PATH: '/bin', GITHUB_TOKEN: 't', my_api_key: 'k', Db_Password: 'p', DSH_HOME: '/h', LANG: 'C' }

test('inherited secrets and host names stay behind, declared ones go through', () => {
  expect(childEnvironment(inherited, { GITHUB_TOKEN: 'mine', X: '1' }, 'linux')).toEqual({
    env: { PATH: '/bin', LANG: 'C', GITHUB_TOKEN: 'mine', X: '1' },
    scrubbed: ['DSH_HOME', 'Db_Password', 'my_api_key'],
  })
})

test.each([
  ['MYSQL_PWD', 'x', true],
  ['github_pat', 'x', true],
  ['REGISTRY_AUTH', 'x', true],
  ['SSH_PASSPHRASE', 'x', true],
  ['SENTRY_DSN', 'x', true],
  ['DATABASE_URL', 'postgres://app:pw@db/app', true],
  ['DATABASE_URL', 'postgres://db/app', false],
  ['HTTPS_PROXY', 'http://me:pw@proxy:3128', false],
  ['PWD', '/work', false],
  ['OLDPWD', '/work', false],
  ['SSH_AUTH_SOCK', '/run/agent', false],
  ['PATH', '/bin', false],
])('%s=%s is left behind: %j', (name, value, left) => {
  expect(childEnvironment({ [name]: value }, {}, 'linux').scrubbed).toEqual(left ? [name] : [])
})

test('on Windows names differ in more than case', () => {
  expect(childEnvironment({ Path: 'C:\\a' }, { PATH: 'C:\\b' }, 'win32').env).toEqual({ PATH: 'C:\\b' })
})
