import { expect, test } from 'vitest'
import { isNestedDeeply } from '../../src/domain/json-values.ts'

test.each([
  ['[[]]', 2, false],
  ['[[]]', 1, true],
  ['[[],[],{}]', 2, false],
  ['{"a":{"b":[1]}}', 3, false],
  ['{"a":{"b":[1]}}', 2, true],
  [String.raw`{"a":"[[[\"[[[\\"}`, 1, false],
  ['['.repeat(400_000), 64, true],
  ['null', 0, false],
  // What is no JSON: strings that do not end take no longer than others.
  [`"${'\\"'.repeat(500_000)}`, 64, false],
  [`"${'\\"'.repeat(500_000)}\\`, 64, false],
])('%# %s is nested deeper than %d: %s', (json, most, isDeep) => {
  expect(isNestedDeeply(json, most)).toBe(isDeep)
})
