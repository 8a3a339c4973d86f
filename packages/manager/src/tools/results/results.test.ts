import type { AttachmentStore } from '@dsh-mcp/host'
import { expect, test } from 'vitest'
import type { CallToolResult } from '../../connections/index.ts'
import { imageBlocks, textBlocks } from './blocks.ts'
import { decodeImage } from './images.ts'
import { piecesOf } from './pieces.ts'
import { errorText, maxResultText } from './text.ts'
import { valueOf, type ToolValue } from './value.ts'

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'

const value = (content: readonly unknown[], rest: Partial<CallToolResult> = {}): ToolValue =>
  valueOf({ content, ...rest }, undefined)
const shown = (content: readonly unknown[], rest: Partial<CallToolResult> = {}): string =>
  textBlocks(value(content, rest), 'raw')
    .map((block) => (block.type === 'text' ? block.text : `<${block.attachment.attachmentId}>`))
    .join('\n---\n')

test.each<[string, unknown, string]>([
  ['text', { type: 'text', text: 'hello' }, 'hello'],
  ['a lone surrogate', { type: 'text', text: 'a\ud800b' }, 'a\ufffdb'],
  ['text that is a number', { type: 'text', text: 5 }, '[text block without text]'],
  ['no type', { text: 'x' }, '[content block without a type]'],
  ['no object', 'x', '[content block that is not an object]'],
  ['null', null, '[content block that is not an object]'],
  ['an unknown type', { type: 'blob', data: 'x' }, '[content of type blob, not shown]'],
  ['audio', { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }, '[audio audio/wav, 3 bytes, not shown]'],
  ['a link', { type: 'resource_link', name: 'readme', uri: 'file:///r.md' }, 'Resource link: readme (file:///r.md)'],
  ['a link without URI', { type: 'resource_link', name: 'readme' }, '[resource link without a URI]'],
  [
    'an embedded text',
    { type: 'resource', resource: { uri: 'file:///r.md', mimeType: 'text/markdown', text: '# Hi' } },
    '[resource file:///r.md, text/markdown]\n# Hi',
  ],
  [
    'an embedded blob',
    { type: 'resource', resource: { uri: 'file:///r.zip', blob: 'AAAA' } },
    '[resource file:///r.zip, 3 bytes, not shown: binary]',
  ],
  ['an empty resource', { type: 'resource' }, '[embedded resource without content]'],
  [
    'an image',
    { type: 'image', mimeType: 'image/png', data: png },
    '[image unavailable: image/png; this model is not shown images]',
  ],
])('%s reads as a line', (_name, block, expected) => {
  expect(shown([block])).toBe(expected)
})

test('blocks keep their order and neighbours join', () => {
  expect(shown([{ type: 'text', text: 'a' }, { type: 'nope' }, { type: 'text', text: 'b' }])).toBe(
    'a\n[content of type nope, not shown]\nb',
  )
})

test('an empty result says so, structured content stands in for missing text', () => {
  expect(shown([])).toBe('(raw returned nothing)')
  expect(shown([], { structuredContent: { n: 1 } })).toBe('{"n":1}')
})

test('long text is cut where a person can see it', () => {
  const text = shown([{ type: 'text', text: 'x'.repeat(maxResultText + 50_000) }])
  expect(text.length).toBeLessThan(maxResultText + 100)
  expect(text).toMatch(/\[cut: 50001 of 306000 characters not shown\]$/)
  const many = shown(Array.from({ length: 300 }, () => ({ type: 'text', text: 'y'.repeat(1000) })))
  expect(many.length).toBeLessThan(maxResultText + 100)
})

test('the message of an error is what the server said', () => {
  expect(errorText(piecesOf([{ type: 'text', text: 'no such file' }]), 'read')).toBe('no such file')
  expect(errorText([], 'read')).toBe('MCP tool "read" failed')
  expect(errorText(piecesOf([{ type: 'text', text: 'e'.repeat(50_000) }]), 'read').length).toBeLessThan(17_000)
})

test('programs get everything the server sent', () => {
  const blob = { type: 'blob', data: 'x' }
  expect(value([blob], { structuredContent: { n: 1 } })).toEqual({
    text: '[content of type blob, not shown]',
    content: [blob],
    isError: false,
    structuredContent: { n: 1 },
  })
})

test('numbers the host would refuse are mended, everything else is the very same data', () => {
  const data: unknown = JSON.parse('{"a":-0,"b":1e999,"c":[1.5]}')
  expect(value([], { structuredContent: data }).structuredContent).toEqual({ a: 0, b: null, c: [1.5] })
  const whole = { a: [1] }
  expect(value([], { structuredContent: whole }).structuredContent).toBe(whole)
})

test('structured content that breaks its own schema is left out and told', () => {
  const broken = valueOf(
    { content: [{ type: 'text', text: 'ok' }], structuredContent: { n: 'x' } },
    {
      type: 'object',
      properties: { n: { type: 'number' } },
      required: ['n'],
    },
  )
  expect(broken).not.toHaveProperty('structuredContent')
  expect(broken.text).toBe('ok\n[structuredContent left out: it does not match the outputSchema of the tool]')
})

test.each<[string, string | undefined, unknown, string]>([
  ['a type no model takes', 'image/svg+xml', png, 'not PNG, JPEG, WebP or GIF'],
  ['no type', undefined, png, 'not PNG, JPEG, WebP or GIF'],
  ['a name of Object', 'constructor', png, 'not PNG, JPEG, WebP or GIF'],
  ['no data', 'image/png', undefined, 'the data is not canonical base64'],
  ['empty data', 'image/png', '', 'the data is not canonical base64'],
  ['URL-safe letters', 'image/png', png.replaceAll('+', '-'), 'the data is not canonical base64'],
  ['white space', 'image/png', `${png.slice(0, 8)}\n${png.slice(8)}`, 'the data is not canonical base64'],
  ['bits left over', 'image/png', 'iVBORw0KGgp=', 'the data is not canonical base64'],
  ['another image', 'image/png', gif, 'the bytes are image/gif'],
  ['no image', 'image/png', Buffer.from('hello').toString('base64'), 'the bytes are no such image'],
])('an image is refused: %s', (_name, mimeType, data, reason) => {
  expect(() => decodeImage(mimeType, data)).toThrow(reason)
})

test('an image is decoded, the alias jpg included', () => {
  expect(decodeImage('image/png', png).mediaType).toBe('image/png')
  expect(decodeImage('image/jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]).toString('base64')).mediaType).toBe(
    'image/jpeg',
  )
})

/** A store that refuses GIFs and, with one among them, the whole batch: as the host's does. */
const store: AttachmentStore = {
  imageLimits: { maxImagesPerMessage: 3 },
  saveImages: async (images) => {
    if (images.some((image) => image.mediaType === 'image/gif')) throw new Error('GIF refused')
    return images.map((image) => ({ attachmentId: `sha256:${image.data.length}`, mediaType: image.mediaType }))
  },
}

test('images stand in their place, each bad one leaves a line, the good ones stay', async () => {
  const blocks = await imageBlocks(
    value([
      { type: 'text', text: 'before' },
      { type: 'image', mimeType: 'image/png', data: png },
      { type: 'image', mimeType: 'image/gif', data: gif },
      { type: 'image', mimeType: 'image/png', data: 'nonsense!' },
      { type: 'text', text: 'after' },
    ]),
    async () => store,
  )
  expect(blocks).toEqual([
    { type: 'text', text: 'before' },
    { type: 'image', attachment: { attachmentId: 'sha256:70', mediaType: 'image/png' } },
    {
      type: 'text',
      text: [
        '[image unavailable: image/gif; GIF refused]',
        '[image unavailable: image/png; the data is not canonical base64]',
        'after',
      ].join('\n'),
    },
  ])
})

test('more images than the host takes, or a model without images, leave lines', async () => {
  const image = { type: 'image', mimeType: 'image/png', data: png }
  const many = await imageBlocks(value([image, image, image, image]), async () => store)
  expect(many.map((block) => block.type)).toEqual(['image', 'image', 'image', 'text'])
  const none = await imageBlocks(value([image]), async () => {
    throw new Error('model "m" takes no images')
  })
  expect(none).toEqual([{ type: 'text', text: '[image unavailable: image/png; model "m" takes no images]' }])
})
