import { describe, expect, test } from 'vitest'
import type { FormatKey } from '../../../src/domain/bank-files/format.ts'
import type { SourceRow } from '../../../src/domain/bank-files/source.ts'
import { settleRow } from '../../../src/domain/imports/rows.ts'
import { sourceRow } from './books.fixtures.ts'

const settled = (
  fields: Partial<SourceRow>,
  { currency = 'EUR', format = 'csv' as FormatKey } = {},
) => settleRow(sourceRow({ date: '2026-03-01', ...fields }), 0, { id: 'main', currency }, format)

const codes = (fields: Partial<SourceRow>, how: Parameters<typeof settled>[1] = {}) =>
  settled(fields, how).errors.map(({ code }) => code)

describe('amounts', () => {
  test.each([
    ['-12.30', 'EUR', -1230],
    ['-3.77000', 'EUR', -377],
    ['5', 'EUR', 500],
    ['-0.00', 'EUR', 0],
    ['-0.05', 'EUR', -5],
    ['1200', 'JPY', 1200],
    ['1200.00', 'JPY', 1200],
    ['0.123', 'BHD', 123],
  ])('%s %s are %i minor units', (amount, currency, minor) => {
    const row = settled({ amount }, { currency })
    expect(row.minor).toBe(minor)
    expect(row.errors).toEqual([])
    expect(row.warnings).toEqual([])
  })

  test.each<[Partial<SourceRow>, string]>([
    [{ amount: '12.345' }, 'money.tooManyDigits'],
    [{ amount: '90071992547409.92' }, 'money.outOfRange'],
    [{ amount: '-90071992547409.92' }, 'money.outOfRange'],
    [{ amount: '1e5' }, 'money.malformed'],
    [{ amount: '1'.repeat(65) }, 'money.malformed'],
    [{}, 'amountMissing'],
    [{ amount: '1.00', currency: 'USD' }, 'currencyMismatch'],
    [{ amount: '3.00', parts: [{ amount: '1.00' }, { amount: '1.99' }] }, 'partsDoNotSum'],
    [{ amount: '3.00', parts: [{ amount: 'x' }] }, 'money.malformed'],
  ])('%j is %s', (fields, code) => {
    const { errors } = settled(fields)
    expect(errors.map((error) => error.code)).toEqual([code])
    expect(errors[0]?.message).toMatch(/^The .+\.$/)
  })

  test('the amount that is wrong may be that of a part', () => {
    const parts = [{ amount: 'x' }]
    expect(settled({ amount: '3.00', parts }).errors[0]?.message).toContain('"x"')
    expect(codes({ parts })).toEqual(['amountMissing', 'money.malformed'])
    const rounded = [{ amount: 'x' }, { amount: '0.333' }]
    expect(settled({ parts: rounded }, { format: 'ofx' })).toMatchObject({
      ...{ partMinors: [0, 33], errors: [{ code: 'amountMissing' }, { code: 'money.malformed' }] },
    })
  })

  test('a row without a date has an error', () => {
    const { date: _, ...row } = sourceRow({ amount: '1.00' })
    const { errors } = settleRow(row, 0, { id: 'main', currency: 'EUR' }, 'csv')
    expect(errors).toEqual([{ code: 'dateMissing', message: 'The row has no date.' }])
  })

  test('an unknown currency has no minor units', () => {
    expect(codes({ amount: '1.00' }, { currency: 'ZZZ' })).toEqual(['money.malformed'])
  })

  test('an error says at most 100 characters of a cell', () => {
    const [error] = settled({ amount: '1.00', currency: 'X'.repeat(200) }).errors
    expect(error?.message).toContain(`${'X'.repeat(100)},`)
  })

  test('what the reader said is neither repeated nor added to', () => {
    const told = { code: 'amountMissing' as const, column: 'Betrag', message: 'No amount.' }
    expect(settled({ errors: [told] }).errors).toEqual([told])
    const many = { code: 'money.tooManyDigits' as const, message: 'Too many.' }
    expect(settled({ amount: '1.234', errors: [many] }).errors).toEqual([many])
  })
})

describe('more decimals than the currency has', () => {
  test.each<[FormatKey, string, number]>([
    ['ofx', '-197.1063', -19711],
    ['camt', '0.125', 12],
    ['mt940', '0.135', 14],
    ['ynab', '-5.128', -513],
    ['ofx', '-0.125', -12],
  ])('%s rounds %s half to even', (format, amount, minor) => {
    const row = settled({ amount }, { format })
    expect(row).toMatchObject({ minor, errors: [], warnings: ['amountRounded'] })
  })

  test.each<FormatKey>(['csv', 'qif', 'coffer'])('%s refuses them', (format) => {
    expect(codes({ amount: '0.125' }, { format })).toEqual(['money.tooManyDigits'])
    // The check of statements still counts the row.
    expect(settled({ amount: '0.125' }, { format }).minor).toBe(12)
  })

  test('an amount that is rounded to nothing is no booking', () => {
    const row = settled({ amount: '0.001' }, { format: 'ofx' })
    expect(row).toMatchObject({ minor: 0, ignored: 'zero', errors: [] })
  })

  test('the warning stands once', () => {
    const row = settled({ amount: '0.125', warnings: ['amountRounded'] }, { format: 'ofx' })
    expect(row.warnings).toEqual(['amountRounded'])
  })

  test('rounded parts add up to the rounded amount', () => {
    const parts = ['0.333', '0.333', '0.334'].map((amount) => ({ amount }))
    expect(settled({ amount: '1.00', parts }, { format: 'ofx' })).toMatchObject({
      ...{ partMinors: [33, 33, 34], errors: [], warnings: ['amountRounded'] },
    })
    const far = [{ amount: '0.333' }, { amount: '5.00' }]
    expect(codes({ amount: '1.00', parts: far }, { format: 'ofx' })).toEqual(['partsDoNotSum'])
    expect(settled({ amount: '0.333' }, { format: 'ofx' }).partMinors).toEqual([])
  })
})

test('parts, balance and the original amount are settled, too', () => {
  const row = settled({
    ...{ amount: '-3.00', balance: '97.00' },
    parts: [{ amount: '-1.00' }, { amount: '-2.00' }],
    original: { amount: '-500', currency: 'JPY' },
  })
  expect(row).toMatchObject({
    ...{ minor: -300, balanceMinor: 9700, partMinors: [-100, -200], originalMinor: -500 },
    ...{ errors: [], warnings: [] },
  })
})

test('an ignored row needs no amount, and has no errors of its own', () => {
  expect(settled({ ignored: 'opening' })).toMatchObject({ ignored: 'opening', errors: [] })
})

describe('parts that make no split', () => {
  const food = { amount: '-3.00', category: ['Food'], description: 'Peaches', tags: ['Fruit'] }

  test('are left out if they are zero', () => {
    const rest = { amount: '-1.00', category: ['Rent'] }
    const row = settled({ amount: '-4.00', parts: [food, { amount: '0.00' }, rest] })
    expect(row).toMatchObject({ partMinors: [-300, -100], errors: [] })
    expect(row.source.parts).toEqual([food, rest])
  })

  test('say of the row what they are, if there is one only', () => {
    const whole = { amount: '-3.00', description: 'Market', tags: ['Trip'] }
    const row = settled({ ...whole, parts: [{ amount: '0' }, food] })
    expect(row).toMatchObject({ minor: -300, partMinors: [], errors: [] })
    expect(row.source).toMatchObject({
      ...{ parts: [], category: ['Food'], description: 'Market Peaches' },
      tags: ['Trip', 'Fruit'],
    })
    const moved = { amount: '-3.00', transfer: 'Savings', pair: '1' }
    expect(settled({ amount: '-3.00', parts: [moved] }).source).toMatchObject({
      ...{ parts: [], transfer: { account: 'Savings', pair: '1' } },
    })
    const unpaired = { amount: '-3.00', transfer: 'Savings' }
    expect(settled({ amount: '-3.00', parts: [unpaired] }).source.transfer).toEqual({
      account: 'Savings',
    })
  })

  test('are an error if the one is not the whole amount', () => {
    expect(codes({ amount: '-4.00', parts: [food] })).toEqual(['partsDoNotSum'])
    expect(codes({ parts: [food] })).toEqual(['amountMissing'])
  })

  test('are an error if they are too many, and the row can be booked without them', () => {
    const parts = Array.from({ length: 101 }, () => ({ amount: '-1.00' }))
    const [error] = settled({ amount: '-101.00', parts }).errors
    expect(error).toEqual({
      code: 'tooManyParts',
      message:
        'The row has 101 parts, but a transaction has at most 100. Decide `book` to book it without them.',
    })
    expect(codes({ amount: '-100.00', parts: parts.slice(1) })).toEqual([])
  })
})
