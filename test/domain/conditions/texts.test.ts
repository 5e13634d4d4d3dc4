import { expect, it } from 'vitest'
import { fits, longestPart, patternFor } from '../../../src/domain/conditions/texts.ts'

it.each([
  ['is', 'Café', 'cafe', true],
  ['is', 'Café', 'cafe kiel', false],
  ['isEmpty', '', '', true],
  ['isEmpty', '', 'cafe', false],
  ['contains', 'CAFE', 'my cafes', true],
  ['word', 'cafe', 'cafe kiel', true],
  ['like', 'ca*l', 'cafe kiel', true],
  ['like', 'ca*f', 'cafe kiel', false],
] as const)('the pattern of %s "%s" fits "%s": %s', (op, text, key, expected) => {
  expect(fits(patternFor(op, text), key)).toBe(expected)
})

it.each([
  ['is', 'Café', 'cafe'],
  ['like', 'a*Bcd*bc', 'bcd'],
  ['like', '*ab*cd', 'ab'],
  ['isEmpty', '', ''],
] as const)('the longest part of %s "%s" is "%s"', (op, text, expected) => {
  expect(longestPart(patternFor(op, text))).toBe(expected)
})
