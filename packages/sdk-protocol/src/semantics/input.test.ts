import { expect, test } from 'vitest'
import type { SdkPromptContentBlock } from '../types/index.ts'
import { commandText, isEncodedImage, promptInput } from './index.ts'

const image: SdkPromptContentBlock = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
const stored: SdkPromptContentBlock = {
  type: 'image',
  attachment: { attachmentId: 'a', mediaType: 'image/png', bytes: 1, width: 1, height: 1 },
}
const text = (value: string): SdkPromptContentBlock => ({ type: 'text', text: value })

test('text becomes one text block, as it is', () => {
  expect(promptInput('  hello\n')).toEqual([text('  hello\n')])
})

test.each([
  [[text('a'), text('b')]],
  [[image]],
  [[text(' '), image]],
  [[stored]],
  [[{ type: 'x-plugin/chart', points: [1, 2] }]],
])('blocks stay in their order: %j', (blocks) => {
  expect(promptInput(blocks)).toEqual(blocks)
})

test.each<[string | SdkPromptContentBlock[], string]>([
  ['', 'nothing but white space'],
  [' \n\t\u3000', 'nothing but white space'],
  [[], 'no content block'],
  [[text(' '), text('\n')], 'nothing but white space'],
])('%j is refused', (input, message) => {
  expect(() => promptInput(input)).toThrow(
    expect.objectContaining({ code: 'bad-input', message: expect.stringContaining(message) }),
  )
})

test.each([['text'], [null], [{}], [{ type: 1 }], [{ type: 'text' }], [{ type: 'text', text: 1 }]])(
  'a block %j is refused with its place',
  (block) => {
    expect(() => promptInput([text('fine'), block as unknown as SdkPromptContentBlock])).toThrow(/content block 1 is /)
  },
)

test('a command is one text block, with encoded images at most', () => {
  expect(commandText([text('/goal x')])).toBe('/goal x')
  expect(commandText([image, text('/goal x'), image])).toBe('/goal x')
})

test.each<[SdkPromptContentBlock[], string]>([
  [[], 'exactly one text block, not 0'],
  [[image], 'exactly one text block, not 0'],
  [[text('/a'), text('b')], 'exactly one text block, not 2'],
  [[text('/a'), stored], 'not a "image" block without data'],
  [[text('/a'), { type: 'reasoning', text: 'x' }], 'not a "reasoning" block'],
])('a command of %j is refused', (blocks, message) => {
  expect(() => commandText(blocks)).toThrow(
    expect.objectContaining({ code: 'bad-command-input', message: expect.stringContaining(message) }),
  )
})

test('an image with its bytes is told from a stored one', () => {
  expect([image, stored, text('x')].map(isEncodedImage)).toEqual([true, false, false])
})
