import { expect, test } from 'vitest'
import { outline } from './outline.ts'

test('short things stand on one line, lists below their name, and nothing is said of what is empty', () => {
  expect(
    outline({
      id: 'a',
      none: null,
      empty: [],
      hollow: { inner: null },
      flag: false,
      zero: 0,
      tags: ['x', 'y'],
      model: { provider: 'p', model: 'm', effort: null },
      jobs: [
        { id: 1, label: 'first' },
        { id: 2, label: 'second', text: 'two\nlines' },
      ],
      text: 'more\nthan one',
    }),
  ).toBe(
    [
      'id: a',
      'flag: false',
      'zero: 0',
      'tags: x, y',
      'model: provider=p model=m',
      'jobs:',
      '  - id=1 label=first',
      '  - id=2 label=second',
      '    text:',
      '      two',
      '      lines',
      'text:',
      '  more',
      '  than one',
    ].join('\n'),
  )
})
