import { assert, json, oneof, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addServer,
  deleteServer,
  readWorkspaceDocument,
  replaceServer,
  setEnabled,
  workspaceServerId,
  writeWorkspaceDocument,
} from './workspace-document.ts'
import type { WorkspaceDocument } from './workspace-document.ts'

const record = { type: 'http', url: 'http://127.0.0.1:1/mcp' }
const none = new Set<string>()

test('the id of a workspace server is made of its canonical path and name', () => {
  // printf '/proj/a\nlinear' | sha256sum
  expect(workspaceServerId('/proj/a', 'linear')).toBe('ws-deeea616cc08b8115a7f')
})

describe('reading', () => {
  test.each(['', '  \n', '[]', 'null', '3', '{', '{"mcpServers":[]}', '{"disabled":"x"}', '{"exclude":{}}'])(
    '%j is refused with the words of the older plugin',
    (text) => {
      expect(() => readWorkspaceDocument(text)).toThrow(/^invalid \.dsh\/dshmm\/mcp\.json: /)
    },
  )

  test('a byte-order mark and unknown keys are fine, and survive writing', () => {
    const document = readWorkspaceDocument('\uFEFF{"$schema":"x","mcpServers":{"a":{"note":1}},"inputs":[]}')
    expect(JSON.parse(writeWorkspaceDocument(document))).toEqual({
      $schema: 'x',
      mcpServers: { a: { note: 1 } },
      inputs: [],
    })
  })

  test('any text gives a document or a SyntaxError', () => {
    assert(
      property(oneof(string(), json()), (text) => {
        try {
          return typeof readWorkspaceDocument(text) === 'object'
        } catch (error) {
          return error instanceof SyntaxError
        }
      }),
    )
  })
})

describe('changes', () => {
  test('a renamed server keeps its place and its switch', () => {
    const document: WorkspaceDocument = { mcpServers: { a: {}, b: record, c: {} }, disabled: ['b', 'x'] }
    replaceServer(document, 'b', 'z', record, none)
    expect(Object.keys(document.mcpServers!)).toEqual(['a', 'z', 'c'])
    expect(document.disabled).toEqual(['x', 'z'])
  })

  test('a name that also hides a global server stays disabled after a rename and after a delete', () => {
    const document: WorkspaceDocument = { mcpServers: { b: record }, disabled: ['b'] }
    replaceServer(document, 'b', 'z', record, new Set(['b']))
    expect(document.disabled).toEqual(['b', 'z'])
    deleteServer(document, 'z', new Set(['b']))
    expect(document).toEqual({ mcpServers: {}, disabled: ['b'] })
  })

  test('a deleted name leaves the list, so that adding it again enables it', () => {
    const document: WorkspaceDocument = { mcpServers: { b: record }, disabled: ['b'] }
    deleteServer(document, 'b', none)
    addServer(document, 'b', record)
    expect(document.disabled).toEqual([])
  })

  test('a switch moves the older list into the newer one', () => {
    const document: WorkspaceDocument = { exclude: ['github', 'odin'], disabled: ['x'] }
    setEnabled(document, 'odin', true)
    expect(document).toEqual({ disabled: ['x', 'github'] })
  })

  test('names of object members are ordinary names', () => {
    const document: WorkspaceDocument = { mcpServers: {} }
    expect(() => deleteServer(document, 'constructor', none)).toThrow('no server named constructor')
    addServer(document, 'constructor', record)
    expect(Object.keys(document.mcpServers!)).toEqual(['constructor'])
  })

  test('unknown and taken names are refused', () => {
    const document: WorkspaceDocument = { mcpServers: { a: record, b: record } }
    expect(() => addServer(document, 'a', record)).toThrow('exists already')
    expect(() => replaceServer(document, 'a', 'b', record, none)).toThrow('exists already')
    expect(() => replaceServer(document, 'q', 'r', record, none)).toThrow('no server named q')
  })
})
