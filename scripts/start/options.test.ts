import { expect, test } from 'vitest'
import { readOptions, StartError } from './options.ts'

test('without arguments the harness runs in ./.dsh on the usual port', () => {
  expect(readOptions([], '/repo')).toEqual({ check: false, port: 3080, home: '/repo/.dsh' })
})

test('port and home are taken as given, a relative home below the repository', () => {
  expect(readOptions(['--port', '0', '--home', 'x'], '/repo')).toEqual({ check: false, port: 0, home: '/repo/x' })
  expect(readOptions(['--home', '/y', '--check'], '/repo')).toEqual({ check: true, port: 3080, home: '/y' })
})

test.each([['--port', 'abc'], ['--port', '70000'], ['--port', '1.5'], ['--prot', '1'], ['extra']])(
  'refuses %s %s with a sentence',
  (...args) => {
    expect(() => readOptions(args, '/repo')).toThrow(StartError)
  },
)
