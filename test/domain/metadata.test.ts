import { expect, test } from 'vitest'
import { LONGEST_TEXTS } from '../../src/domain/ledger-ids.ts'
import {
  isExactMetadata,
  isSmallMetadata,
  METADATA_BYTES,
  metadataIn,
} from '../../src/domain/metadata.ts'

test('metadata has at most 4096 bytes as JSON', () => {
  const most = METADATA_BYTES - JSON.stringify({ a: '' }).length
  expect(isSmallMetadata({ a: 'x'.repeat(most) })).toBe(true)
  expect(isSmallMetadata({ a: 'x'.repeat(most + 1) })).toBe(false)
  expect(isSmallMetadata({ a: 'é'.repeat(most) })).toBe(false)
})

test.each([
  [{ a: 1, b: [1.5, null, 'c', true] }, true],
  [{ a: 2 ** 53 }, false],
  [{ a: [Number.POSITIVE_INFINITY] }, false],
  [JSON.parse('{"a":{"__proto__":1}}'), false],
])('%j comes back as it was sent: %s', (value, isExact) => {
  expect(isExactMetadata(value)).toBe(isExact)
})

test.each([
  ['{"a":[1,{"b":null}]}', { a: [1, { b: null }] }],
  ['{}', {}],
  ['', undefined],
  ['{"a":', undefined],
  ['[1]', undefined],
  ['null', undefined],
  ['"text"', undefined],
  ['{"a":9007199254740993}', undefined],
  [JSON.stringify({ a: 'x'.repeat(METADATA_BYTES) }), undefined],
])('the text %j holds the free fields %j', (text, fields) => {
  expect(metadataIn(text)).toEqual(fields)
})

test('notes of parts are shorter than those of transactions', () => {
  expect(LONGEST_TEXTS.lineNote).toBeLessThan(LONGEST_TEXTS.note)
})
