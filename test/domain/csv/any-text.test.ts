import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Survey, bankFileErrors } from '../../../src/domain/bank-files/format.ts'
import { AppError } from '../../../src/domain/errors.ts'
import { MONEY_PATTERN } from '../../../src/domain/money.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { itemsOf, survey } from './read-csv.fixtures.ts'

const headings = [
  'Date',
  'Valuta',
  'Amount',
  'Debit',
  'Credit',
  'Fee',
  'Balance',
  'Text',
  'Payee',
  'D/C',
  'Currency',
  'Account',
  'Status',
  '__proto__',
  '',
]
const cells = [
  '2026-03-13',
  '13.03.2026',
  '03/04/26',
  '12/30',
  '3 Mar 2026',
  '-1,50',
  '1.000',
  '(5.00)',
  '1e5',
  'EUR',
  '€ 5',
  'Total',
  'Opening balance',
  'CR',
  'D',
  'pending',
  'Shop',
  '',
  '',
  '"',
  "'",
  '\\',
  'a"b',
  '\u0000',
  '\ud800',
  '東京',
  '0.1234567890123456789',
  '9'.repeat(40),
]
const ends = ['\n', '\n', '\r\n', '\r', ',', ';', '\t', ' ', '"']

const anyFile = fc
  .tuple(
    fc.constantFrom(',', ';', '\t', '|'),
    fc.array(fc.constantFrom(...headings), { maxLength: 6 }),
    fc.array(fc.array(fc.constantFrom(...cells), { maxLength: 7 }), { maxLength: 12 }),
    fc.array(fc.constantFrom(...ends), { maxLength: 4 }),
  )
  .map(([delimiter, heading, rows, tail]) =>
    [[heading.join(delimiter)], ...rows.map((row) => [row.join(delimiter)]), [tail.join('')]].join(
      '\n',
    ),
  )

/** Answers everything that is asked with the first thing that is offered. */
function answered({ reading, questions }: Survey) {
  const answers = questions.map(({ key, options, suggestion }) => {
    const columns = '{"date":0,"amount":1}'
    const value = suggestion ?? (key === 'columns' ? columns : options[0]) ?? '2026'
    return [key, key === 'columns' ? JSON.parse(value) : key === 'year' ? 2026 : value]
  })
  return { ...reading, ...Object.fromEntries(answers) }
}

const known = new Set(Object.keys(bankFileErrors).map((name) => `imports.${name}`))

test(`no text breaks the reader, and its rows hold what they promise (COFFER_SEED=${SEED})`, () => {
  fc.assert(
    fc.property(anyFile, fc.integer({ min: 1, max: 50 }), (text, piece) => {
      let found: Survey
      try {
        found = survey(text, {}, piece)
      } catch (error) {
        expect(error).toBeInstanceOf(AppError)
        expect(known).toContain((error as AppError).code)
        return
      }
      const reading = answered(found)
      const items = itemsOf(text, reading, piece)
      expect(itemsOf(text, reading)).toEqual(items)
      for (const item of items) {
        if (item.is === 'row') {
          const { amount, date, errors, ignored, balance } = item.row
          expect(amount ?? '0').toMatch(MONEY_PATTERN)
          expect(balance ?? '0').toMatch(MONEY_PATTERN)
          // A row that is booked has a date and an amount.
          const isWhole = date !== undefined && amount !== undefined
          expect(isWhole || errors.length > 0 || ignored !== undefined).toBe(true)
        }
      }
    }),
    { numRuns: rounds(150, 20_000), seed: SEED },
  )
})
