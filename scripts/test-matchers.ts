import { expect } from 'vitest'

/**
 * `toMatchObject` takes a bare pattern for an object without members, which whatever is defined matches: an assertion that
 * cannot fail. Such a pattern is an error here.
 */
expect.addEqualityTesters([
  (actual, expected) => {
    if (expected instanceof RegExp && !(actual instanceof RegExp)) {
      throw new Error(`${String(expected)} stands as a value: write expect.stringMatching(${String(expected)})`)
    }
    return undefined
  },
])
