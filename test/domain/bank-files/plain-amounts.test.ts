import { expect, test } from 'vitest'
import { product, quotient, readPlainAmount } from '../../../src/domain/bank-files/decimals.ts'

test.each([
  ['12.30', '12.3'],
  ['-12,30', '-12.3'],
  [' +1 ', '1'],
  ['.5', '0.5'],
  ['-5.', '-5'],
  ['007', '7'],
  ['-0.00', '0'],
  ['1,234.50', '1234.5'],
  ['-1.234.567,8', '-1234567.8'],
  ['1,234', '1.234'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
])('%j is %s', (text, amount) => {
  expect(readPlainAmount(text)).toBe(amount)
})

test.each([
  '',
  '-',
  '.',
  'x',
  '1x',
  '1 2',
  '--1',
  '1.2.3',
  '1,23,456.7',
  '1,234.5.6',
  '9'.repeat(41),
])('%j is no amount', (text) => {
  expect(readPlainAmount(text)).toBeUndefined()
})

test('products and quotients are rounded', () => {
  expect(product('100', '0.905', 2)).toBe('90.5')
  expect(product('-1', '0.125', 2)).toBe('-0.12')
  expect(quotient('1', '3', 4)).toBe('0.3333')
  expect(quotient('1', '0', 2)).toBeUndefined()
  expect(quotient('1', '-3', 2)).toBeUndefined()
})
