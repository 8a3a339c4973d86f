import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as door from './index.ts'

const folder = join(import.meta.dirname, '..')

test('the package offers these names, and no other', () => {
  expect(Object.keys(door).toSorted()).toEqual([
    'JsonRpcLineTransport',
    'JsonRpcResponseError',
    'JsonRpcTransportError',
    'QueryCompletions',
    'SdkProtocolError',
    'approvalOutcome',
    'clientPeer',
    'commandText',
    'isContentBlock',
    'isEncodedImage',
    'isSessionEvent',
    'isUnknownMethod',
    'promptInput',
    'readApprovalOutcome',
    'readUserQuestionResult',
    'runtimePeer',
  ])
})

test('it has one door and needs no other package at run time', async () => {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Record<string, object>
  expect(Object.keys(manifest.exports ?? {})).toEqual(['.', './package.json'])
  for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies'])
    expect(manifest).not.toHaveProperty(kind)
})

test('only the seam to the platform imports from outside of the package', async () => {
  const files = await readdir(join(folder, 'src'), { recursive: true })
  const shipped = files.filter((file) => file.endsWith('.ts') && !/\.(test|property\.test|fixture)\.ts$/.test(file))
  const importing: string[] = []
  for (const file of shipped) {
    const text = await readFile(join(folder, 'src', file), 'utf8')
    if (/(?:from|import\()\s*'(?!\.)/.test(text)) importing.push(file)
  }
  expect(importing).toEqual(['streams.ts'])
})
