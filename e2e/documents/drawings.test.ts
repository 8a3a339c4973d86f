import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { snippetsFor } from './proofs.ts'
import { checkout } from './read.ts'

const drawings = snippetsFor('drawings')

test.each(drawings)('$document:$line draws what exists', ({ text, line }) => {
  // The first is a list of folders, one a line; the others join rooms of a plugin by arrows.
  const folders = text.split('\n').flatMap((row) => /^(\S+) {2,}\S/.exec(row)?.[1] ?? [])
  const rooms = text.split('\n').flatMap((row) => (row.includes('→') ? (row.match(/[a-z]+/g) ?? []) : []))
  expect(folders.length + rooms.length).toBeGreaterThan(4)
  expect(folders.filter((folder) => !existsSync(join(checkout, folder)))).toEqual([])
  // What joins the rooms, and what is the host's: its agents and services.
  const others = new Set(['uses', 'through', 'and', 'or', 'the', 's', 'host', 'services', 'agents'])
  const known = (room: string) =>
    others.has(room) ||
    ['manager', 'server'].some((plugin) => existsSync(join(checkout, 'packages', plugin, 'src', room)))
  expect(
    rooms.filter((room) => !known(room)),
    `line ${line}`,
  ).toEqual([])
})
