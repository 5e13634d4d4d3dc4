import { describe, expect, test } from 'vitest'
import { watchChains } from '../../../src/domain/imports/balances.ts'
import { isBookable } from '../../../src/domain/imports/rows.ts'
import { Books, row, type RowSketch, settle } from './books.fixtures.ts'

const DAY = '2026-03-15'
const coffee = (balance?: string): RowSketch =>
  row(DAY, '-3.00', 'Coffee', balance === undefined ? {} : { balance })
const shop = (amount: string, balance: string) => row(DAY, amount, `Shop ${amount}`, { balance })

describe('the chain of balances', () => {
  const isUnbroken = (...rows: [amount: string, balance?: string][]) => {
    const chains = watchChains()
    const sketches = rows.map(([amount, balance]) =>
      row(DAY, amount, 'x', balance === undefined ? {} : { balance }),
    )
    settle(sketches)
      .filter(isBookable)
      .forEach((one) => chains.see(one))
    return chains.isUnbroken('main')
  }

  test.each<[string, boolean, [string, string?][]]>([
    [
      'up the file',
      true,
      [
        ['-1.00', '9.00'],
        ['-2.00', '7.00'],
        ['5.00', '12.00'],
      ],
    ],
    [
      'down the file',
      true,
      [
        ['5.00', '12.00'],
        ['-2.00', '7.00'],
        ['-1.00', '9.00'],
      ],
    ],
    [
      'up, with rows that have none',
      true,
      [['-1.00'], ['-1.00', '9.00'], ['-2.00'], ['1.00', '8.00']],
    ],
    ['down, with rows that have none', true, [['1.00', '8.00'], ['-2.00'], ['-1.00', '9.00']]],
    [
      'broken',
      false,
      [
        ['-1.00', '9.00'],
        ['-2.00', '7.50'],
        ['5.00', '12.50'],
      ],
    ],
    [
      'once up, once down',
      false,
      [
        ['-1.00', '9.00'],
        ['-2.00', '7.00'],
        ['-3.00', '9.00'],
      ],
    ],
    ['of one row', false, [['-1.00', '9.00']]],
    ['of none', false, [['-1.00']]],
  ])('%s: %s', (_, expected, rows) => {
    expect(isUnbroken(...rows)).toBe(expected)
  })
})

describe('a duplicate with another balance', () => {
  const stored = (...sketches: RowSketch[]) => {
    const books = new Books()
    books.import(sketches)
    return books
  }

  test('the day was cut in two: one of two equal rows may be missing', () => {
    const books = stored(shop('-1.00', '100.00'), coffee('97.00'))
    const { decisions } = books.import([coffee('94.00'), shop('-4.00', '90.00')])
    expect(decisions[0]).toEqual({
      ...{ at: 0, verdict: 'duplicate', reason: 'sameRow', matchedId: 't2' },
      warnings: ['balanceDiffers'],
    })
  })

  test('says nothing where the balances of the file are not in order', () => {
    const books = stored(coffee('97.00'))
    const { decisions } = books.import([coffee('94.00'), shop('-4.00', '91.00')])
    expect(decisions[0]).not.toHaveProperty('warnings')
  })

  test.each([undefined, '97.00'])('says nothing with balance %s', (balance) => {
    const books = stored(coffee('97.00'))
    const { decisions } = books.import([coffee(balance), shop('-4.00', '93.00')])
    expect(decisions[0]).not.toHaveProperty('warnings')
  })

  test('says nothing where none was stored', () => {
    const { decisions } = stored(coffee()).import([coffee('94.00'), shop('-4.00', '90.00')])
    expect(decisions[0]).not.toHaveProperty('warnings')
  })

  test('the twin is the equal row that has the same balance', () => {
    const books = stored(coffee('97.00'), coffee('94.00'))
    const file = [coffee('94.00'), shop('-4.00', '90.00')]
    expect(books.preview(file).decisions[0]).toEqual({
      ...{ at: 0, verdict: 'duplicate', reason: 'sameRow', matchedId: 't2' },
    })
    books.drop('t2', 'inTrash')
    expect(books.preview(file).decisions[0]).toMatchObject({ reason: 'inTrash', matchedId: 't2' })
  })

  test('a row of another kind on that day is no twin', () => {
    const books = stored(coffee('97.00'), row(DAY, '-3.00', 'Tea', { balance: '94.00' }))
    const { decisions } = books.preview([coffee('94.00'), shop('-4.00', '90.00')])
    expect(decisions[0]).toMatchObject({ matchedId: 't1', warnings: ['balanceDiffers'] })
  })

  test('says so, too, where the stored row is gone by then', () => {
    const books = stored(coffee('97.00'))
    const file = [coffee('94.00'), shop('-4.00', '90.00')]
    const { decisions } = books.preview(file, { withoutIdentities: true })
    expect(decisions[0]?.warnings).toEqual(['balanceDiffers'])
  })

  test('balances that all differ are of another kind: 1,000 of them are looked at', () => {
    const rows = Array.from({ length: 1_100 }, (_, index) => index)
    const file = (first: number) =>
      rows.map((index) => row(DAY, '-1.00', `${index}`, { balance: `${first - index}.00` }))
    const books = stored(...file(5_000))
    const { decisions, wanted } = books.preview(file(9_000))
    expect(wanted.identities).toHaveLength(1_000)
    expect(decisions.filter(({ warnings }) => warnings !== undefined)).toHaveLength(1_000)
  })
})
