import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findCommand, notFoundMessage, readCommandLine, splitCommandLine } from './command-line.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dsh-mcp-command-'))
  mkdirSync(join(folder, 'a b'))
  for (const name of ['tool', 'tool.CMD', 'a b/my tool', 'plain.txt']) {
    writeFileSync(join(folder, name), '#!/bin/sh\n')
    chmodSync(join(folder, name), name === 'plain.txt' ? 0o644 : 0o755)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('splitting a typed line', () => {
  test.each([
    ['npx -y  server', ['npx', '-y', 'server']],
    ['"C:\\Program Files\\node.exe" -e 1', ['C:\\Program Files\\node.exe', '-e', '1']],
    ['run \'a b\' "c \'d\'" e"f g"h', ['run', 'a b', "c 'd'", 'ef gh']],
    ['run "" \'\'', ['run', '', '']],
    ['run "open', ['run', 'open']],
    ['$HOME *.ts;rm', ['$HOME', '*.ts;rm']],
  ])('%s', (line, words) => {
    expect(splitCommandLine(line)).toEqual(words)
  })
})

describe('what a stored command means', () => {
  test('arguments pass intact', () => {
    const args = ['a b', '"q"', "it's", '$HOME', '*.ts', '世界', '', '\\']
    expect(readCommandLine('node', args, { env: {}, cwd: '/' })).toEqual({ command: 'node', args })
  })

  test('a path with blanks that exists is the program', () => {
    const command = join(folder, 'a b', 'my tool')
    expect(readCommandLine(command, ['x'], { env: {}, cwd: '/' })).toEqual({ command, args: ['x'] })
    expect(readCommandLine('a b/my tool', [], { env: {}, cwd: folder })).toEqual({ command: 'a b/my tool', args: [] })
  })

  test('one that names no file is a typed line', () => {
    expect(readCommandLine('npx -y "some server"', ['z'], { env: { PATH: folder }, cwd: '/' })).toEqual({
      command: 'npx',
      args: ['-y', 'some server', 'z'],
    })
  })
})

describe('looking for a command', () => {
  test('on the PATH given, not ours', () => {
    expect(findCommand('tool', { env: { PATH: `/nowhere:${folder}` }, cwd: '/' })).toBe(join(folder, 'tool'))
    expect(findCommand('node', { env: { PATH: folder }, cwd: '/' })).toBeUndefined()
    expect(findCommand('plain.txt', { env: { PATH: folder }, cwd: '/' })).toBeUndefined()
  })

  test('on Windows with PATHEXT, whatever the case of the name', () => {
    const place = { env: { Path: folder, PathExt: '.EXE;.CMD' }, cwd: folder, platform: 'win32' as const }
    rmSync(join(folder, 'tool'))
    expect(findCommand('tool', place)).toBe(join(folder, 'tool.CMD'))
  })

  test('a missing one says where it was looked for', () => {
    expect(notFoundMessage('npx', { env: { PATH: '/usr/bin' }, cwd: '/' })).toContain('searched PATH: /usr/bin')
  })
})
