import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  absoluteDecimal,
  canonicalDecimal,
  compareMagnitudes,
  decimalsOf,
  fromUnits,
  isNegativeDecimal,
  negateDecimal,
  sumDecimals,
  toSafeUnits,
  toUnits,
} from '../../../src/domain/bank-files/decimals.ts'
import { MONEY_PATTERN } from '../../../src/domain/money.ts'

test.each([
  [false, '012', '30', '12.3'],
  [true, '12', '', '-12'],
  [true, '0', '00', '0'],
  [true, '', '50', '-0.5'],
  [false, '000', '', '0'],
])('canonical text of %s %s %s is %s', (negative, whole, decimals, text) => {
  expect(canonicalDecimal(negative, whole, decimals)).toBe(text)
})

test('signs', () => {
  expect(['0', '1.5', '-1.5'].map(negateDecimal)).toEqual(['0', '-1.5', '1.5'])
  expect(['0', '1.5', '-1.5'].map(absoluteDecimal)).toEqual(['0', '1.5', '1.5'])
  expect(['0', '1.5', '-1.5'].map(isNegativeDecimal)).toEqual([false, false, true])
})

test('magnitudes sort from the largest', () => {
  expect(['0.5', '-12.345678901234', '3'].toSorted(compareMagnitudes)).toEqual([
    '-12.345678901234',
    '3',
    '0.5',
  ])
})

test('units that are safe numbers', () => {
  expect(toSafeUnits('-12.3', 4)).toBe(-123_000)
  expect(toSafeUnits('12', 0)).toBe(12)
  expect(toSafeUnits('0.12345', 4)).toBeUndefined()
  expect(toSafeUnits('123456789012', 4)).toBeUndefined()
})

test('sums are exact', () => {
  expect(sumDecimals(['0.1', '0.2', '-0.3'])).toBe('0')
  expect(sumDecimals(['9007199254740993', '0.01'])).toBe('9007199254740993.01')
  expect(sumDecimals([])).toBe('0')
})

test('units and texts are two ways to say the same', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.nat(6), (units, scale) => {
      const text = fromUnits(units, scale)
      expect(text).toMatch(MONEY_PATTERN)
      expect(decimalsOf(text)).toBeLessThanOrEqual(scale)
      expect(toUnits(text, scale)).toBe(units)
    }),
  )
})
