import { describe, expect, test } from 'vitest'
import {
  cleanAmount,
  decimalUnder,
  markCollector,
  markEvidence,
} from '../../../src/domain/bank-files/amounts.ts'
import type { DecimalMark } from '../../../src/domain/bank-files/format.ts'

function read(text: string, mark: DecimalMark) {
  const clean = cleanAmount(text)
  const found = clean && decimalUnder(clean, mark)
  return found && ('amount' in found ? found.amount : found.error)
}

function collect(...texts: string[]) {
  const collector = markCollector()
  for (const [index, text] of texts.entries()) {
    collector.add(text, index + 2)
  }
  return collector.findings()
}

describe('what surrounds the digits', () => {
  test.each([
    ['12.30', '12.3'],
    ['-12.30', '-12.3'],
    ['−12.30', '-12.3'],
    ['12.30-', '-12.3'],
    ['+12.30', '12.3'],
    ['(12.30)', '-12.3'],
    ['(€ 12.30)', '-12.3'],
    ['12.30CR', '12.3'],
    ['12.30 DR', '-12.3'],
    ['12.30 C', '12.3'],
    ['12.30 D', '-12.3'],
    ['12.30 H', '12.3'],
    ['12.30 S', '-12.3'],
    ['£-5.00', '-5'],
    ['+ £1,100.00', '1100'],
    ['$ 1,234.50', '1234.5'],
    ['US$12', '12'],
    ["1'234.50", '1234.5'],
    ['1’234.50', '1234.5'],
    ['1\u00a0234.50', '1234.5'],
    ['1\u202f234.50', '1234.5'],
    ['1 234 567.50', '1234567.5'],
    ['kr. 12.50', '12.5'],
    ['12.50 kr.', '12.5'],
    ['Rs.12.50', '12.5'],
    ['12元', '12'],
    ['12.50 zł', '12.5'],
    ['12 Kč', '12'],
    ['S/. 12.50', '12.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['007.00', '7'],
    ['-0.00', '0'],
    ['-3.77000', '-3.77'],
    ['EUR -12.30', '-12.3'],
    ['-12.30 eur', '-12.3'],
  ])('%s is %s', (text, amount) => {
    expect(read(text, '.')).toBe(amount)
  })

  test.each([
    '',
    '-',
    'abc',
    '12a',
    '1e5',
    '1E+05',
    '--5',
    '-5-',
    '-(5)',
    '-5 DR',
    '(5',
    '5)',
    '((5))',
    '(5)5',
    '12€50',
    '5 CR 5',
    'CR 5',
    '12,-',
    '12.30 foo',
    'foo 12.30',
    '1'.repeat(65),
    '.',
    '12#',
  ])('%j is no amount', (text) => {
    expect(cleanAmount(text)).toBeUndefined()
  })

  test('the currency is told by its code or by a sign that no other one has', () => {
    const currencies = ['12 EUR', '€12', 'US$12', '12 zł', '$12', 'kr 12', 'CHF 12.-', '¥12']
    expect(currencies.map((text) => cleanAmount(text)?.currency)).toEqual([
      'EUR',
      'EUR',
      'USD',
      'PLN',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(cleanAmount('CHF 12.-')).toBeUndefined()
  })
})

describe('the decimal mark', () => {
  test.each([
    ['1234', 'none'],
    ['1.234,50', ','],
    ['1,234.50', '.'],
    ['1.234.567', ','],
    ['1,234,567', '.'],
    ['12,34,567.50', '.'],
    ['12,5', ','],
    ['12.3456', '.'],
    ['1.234', 'open'],
    ['123,456', 'open'],
    ['0.123', '.'],
    ['.123', '.'],
    ['1234.567', '.'],
    ['1.2.3', 'malformed'],
    ['1,23,45', 'malformed'],
    ['1234.567,8', 'malformed'],
    ['1.234,5.6', 'malformed'],
    ['.123.456', 'malformed'],
  ])('of %s is %s', (digits, evidence) => {
    expect(markEvidence(digits)).toBe(evidence)
  })

  test('is told by three digits where the currency has as many', () => {
    expect(markEvidence('1.234', 3)).toBe('.')
    expect(markEvidence('1.234', 2)).toBe('open')
  })

  test('example 1', () => {
    expect(collect('-236,48', '1.488,69', '-1.000')).toEqual({
      mark: ',',
      amounts: 3,
      isMixed: false,
      evidence: [
        { line: 2, raw: '-236,48' },
        { line: 3, raw: '1.488,69' },
      ],
    })
    expect(read('-1.000', ',')).toBe('-1000')
    expect(collect('-110.7 €', '-116.62 €').mark).toBe('.')
    expect([read('-110.7 €', '.'), read('-116.62 €', '.')]).toEqual(['-110.7', '-116.62'])
    expect(collect('1.000', '-2.500')).toEqual({
      amounts: 2,
      isMixed: false,
      evidence: [
        { line: 2, raw: '1.000' },
        { line: 3, raw: '-2.500' },
      ],
    })
  })

  test('does not matter where no value has one', () => {
    expect(collect('12', '-5', 'Total', '1.2.3')).toMatchObject({ mark: '.', amounts: 2 })
  })

  test('is that of most values; the others are errors', () => {
    expect(collect('1,50', '2,50', '3.50')).toMatchObject({ mark: ',', isMixed: true })
    expect(read('3.50', ',')).toBe('amountStyleMixed')
    expect(read('1.234', ',')).toBe('1234')
    expect(read('1,234', ',')).toBe('1.234')
    expect(read('1.2.3', ',')).toBe('money.malformed')
  })

  test('shows at most five values', () => {
    expect(collect('1,5', '2,5', '3,5', '4,5', '5,5', '6,5').evidence).toHaveLength(5)
  })
})
