import { expect, it } from 'vitest'
import { importJson } from '../../../src/areas/intake/imports/stored.contract.ts'

const isTaken = (all: unknown) => importJson['warnings']?.(all, {}) ?? true
const warning = { code: 'otherCurrency' }
const many = (count: number, one: object = warning) => Array.from({ length: count }, () => one)
/** A warning whose field is so long as JSON. */
const long = (characters: number) => ({ ...warning, text: 'x'.repeat(characters - 2) })
/** What is around the text of a warning in a list, and around the list. */
const AROUND = JSON.stringify(long(2)).length + 1

it.each<[string, unknown]>([
  ['none', []],
  ['one with particulars', [{ ...warning, lines: [1, 2], from: { day: '2026-01-01' } }]],
  ['as many as an import stores', many(1000)],
  ['one with a field as long as may be', [long(10_000)]],
  // Ten of 10,000 characters each, with all that is around them.
  ['as many characters as may be', many(10, long(10_000 - AROUND)).with(0, long(9_999 - AROUND))],
])('warnings of an import may be %s', (_, all) => {
  expect(isTaken(all)).toBe(true)
})

it.each<[string, unknown]>([
  ['one more than an import stores', many(1001)],
  ['one with a longer field', [long(10_001)]],
  ['one character more than may be', many(10, long(10_000 - AROUND)).with(0, long(10_000))],
  ['many with long fields', many(11, long(9500))],
  ['without a code', [{ text: 'x' }]],
  ['with a code that is no text', [{ code: 1 }]],
  ['with a code that is too long', [{ code: 'x'.repeat(101) }]],
  [
    'with a field that is deeper than any',
    [{ ...warning, deep: JSON.parse('['.repeat(11) + ']'.repeat(11)) }],
  ],
  ['with a field of a long name', [{ ...warning, ['x'.repeat(101)]: 1 }]],
  ['an object', warning],
  ['nothing', null],
])('warnings of an import are not %s', (_, all) => {
  expect(isTaken(all)).toBe(false)
})
