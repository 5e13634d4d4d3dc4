import { expect, test } from 'vitest'
import { isComplexJson } from '../../src/domain/json-values.ts'

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
])('%# is nested deeper than $1: $2', (json, deepest, isDeep) => {
  expect(isComplexJson(json, { deepest, most: 400_000 })).toBe(isDeep)
})

test.each([
  ['[{},[],{}]', 4, false],
  ['[{},[],{}]', 3, true],
  [String.raw`["{}{}\"[]{}"]`, 1, false],
  [`[${'{},'.repeat(400_000)}1]`, 100_000, true],
])('%# has more than $1 objects and arrays: $2', (json, most, isMany) => {
  expect(isComplexJson(json, { deepest: 64, most })).toBe(isMany)
})
