import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  setImportMapping,
  listImportRows,
  updateImportRow,
} from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  getAccountByID,
  getUserAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { type Principal, ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, type ImportBody, settled, uploaded } from './importing.ts'

// Files that are made after those that people reported as read wrong by finance programs.

const FOLDER = join(import.meta.dirname, '../../support/field')
const fileNamed = (name: string) => readFileSync(join(FOLDER, name))

interface Answers {
  [field: string]: unknown
}

/** The import of a file with an answer for all accounts of it, and others. */
async function readInto(
  me: Principal,
  name: string,
  answers: Answers = {},
  accountId?: string,
): Promise<ImportBody> {
  const query = { fileName: name, ...(accountId === undefined ? {} : { accountId }) }
  const sent = await uploaded(me, fileNamed(name), query)
  const toCreate = Object.fromEntries(sent.accounts.map(({ foreign }) => [foreign, 'create']))
  const accounts = accountId === undefined ? { accountMap: toCreate } : {}
  const json = { ...accounts, ...answers }
  if (Object.keys(json).length === 0) {
    return sent
  }
  return answered(me, sent.id, json)
}

async function answered(me: Principal, id: string, json: Answers): Promise<ImportBody> {
  await ok(setImportMapping, { as: me, id, json })
  return settled(me, id)
}

interface Expected {
  currency?: string
  type?: 'checking' | 'creditCard'
  answers?: Answers
  /** What the first reading suggests. */
  suggested?: Record<string, unknown>
  /** Dates and amounts of the rows that are booked, in the order of the file. */
  rows: string[]
  payees?: (string | null)[]
  /** Amounts and categories of parts. */
  parts?: string[]
  /** What a statement has more than its rows. */
  difference?: string
  /** Amounts in other currencies. */
  originals?: string[]
  sum: string
  /** Codes of the rows with errors. */
  errors?: string[]
  ignored?: number
  warnings?: string[]
  rowWarnings?: string[]
  /** Opening and closing of a statement that must reconcile. */
  statement?: [opening: string, closing: string]
}

const EXPECTED: Record<string, Expected> = {
  'csv-unicode-minus.csv': {
    rows: ['2025-02-02 -100.00', '2025-02-02 -100.00', '2025-02-13 1500.00'],
    ...{ sum: '1300.00', statement: ['1000.00', '2300.00'] },
  },
  'csv-dash-for-empty.csv': {
    ...{ currency: 'CHF', sum: '554.50' },
    rows: ['2019-05-27 640.00', '2019-05-24 -85.50'],
  },
  'csv-billing-currency.csv': {
    ...{ currency: 'HKD', sum: '15128.50', errors: ['currencyMismatch'] },
    rows: ['2026-05-21 -48.00', '2026-05-19 -23.50', '2026-05-18 15200.00'],
  },
  'csv-card-new-year.csv': {
    ...{ currency: 'CNY', type: 'creditCard', sum: '92.50', suggested: { sign: 'reversed' } },
    ...{ answers: { year: 2026 }, warnings: ['columnsUnread'] },
    rows: ['2025-12-28 -64.00', '2025-12-31 -5.00', '2026-01-02 200.00', '2026-01-07 -38.50'],
  },
  'csv-card-plus-and-cr.csv': {
    ...{ currency: 'GBP', type: 'creditCard', sum: '-285.00' },
    ...{ ignored: 1, warnings: ['columnsUnread'] },
    rows: [
      ...['2026-03-14 -21.75', '2026-03-13 -9.00', '2026-03-12 -1040.10'],
      ...['2026-03-09 800.00', '2026-03-05 -14.15'],
    ],
  },
  'csv-cyrillic-heading-with-latin-letters.csv': {
    ...{ currency: 'UAH', sum: '3730.50', ignored: 1 },
    rows: ['2026-02-09 -150.00', '2026-02-15 4200.50', '2026-02-18 -320.00'],
  },
  'csv-dashes-as-text.csv': {
    ...{ currency: 'CNY', sum: '1333.50', warnings: ['columnsUnread'] },
    rows: ['2026-06-09 -46.50', '2026-06-05 1400.00', '2026-06-02 -20.00'],
    ...{ payees: ['河边书店', '示例公司', '茶馆'], statement: ['520.00', '1853.50'] },
  },
  'csv-dr-cr-suffix.csv': {
    ...{ currency: 'USD', sum: '722.85' },
    rows: ['2024-01-02 -6.40', '2024-01-05 1850.00', '2024-01-08 -1120.75'],
  },
  'csv-headerless-debit-credit-balance.csv': {
    ...{ currency: 'CAD', sum: '802.40', statement: ['402.50', '1204.90'] },
    suggested: { columns: { date: 0, description: 1, debit: 2, credit: 3, balance: 4 } },
    rows: ['2026-06-14 -45.10', '2026-06-13 980.00', '2026-06-11 -130.00', '2026-06-10 -2.50'],
  },
  'csv-headerless-direction-letter.csv': {
    suggested: {
      columns: { date: 0, valueDate: 2, amount: 3, direction: 4, description: 1 },
    },
    ...{ answers: { dateOrder: 'DMY' }, sum: '1489.20' },
    rows: ['2026-05-04 -18.20', '2026-05-06 -640.00', '2026-05-07 2150.00', '2026-05-08 -2.60'],
  },
  'csv-iban-with-stray-quote.csv': {
    ...{ sum: '0.00', statement: ['500.00', '500.00'] },
    rows: ['2026-03-02 -12.50', '2026-03-05 40.00', '2026-03-09 -27.50'],
  },
  'csv-in-and-out-in-brackets.csv': {
    ...{ currency: 'CNY', sum: '1333.50', warnings: ['columnsUnread'] },
    rows: ['2026-03-09 -46.50', '2026-03-05 1400.00', '2026-03-02 -20.00'],
    statement: ['520.00', '1853.50'],
  },
  'csv-negative-debit-column.csv': {
    ...{ currency: 'USD', sum: '-166.85' },
    rows: ['2020-02-13 41.50', '2020-02-13 -120.00', '2020-02-14 -88.35'],
  },
  'csv-sender-and-payee.csv': {
    ...{ sum: '-75.50', payees: ['Kiosk am Tor', 'Water Works'] },
    rows: ['2026-02-03 -4.20', '2026-02-06 -71.30'],
  },
  // Which column is whose cannot be told, and the rows of the group are nobody's.
  'csv-splitwise-french.csv': {
    answers: { columns: { date: 0, description: 1, category: 2, amount: 'Lou', currency: 4 } },
    ...{ sum: '-11.40', ignored: 3, warnings: ['columnsUnread'] },
    rows: ['2026-03-11 3.60', '2026-03-12 -10.00', '2026-03-15 -5.00'],
  },
  'csv-splitwise-total-does-not-fit.csv': {
    answers: { columns: { date: 0, description: 1, category: 2, amount: 'Ines', currency: 4 } },
    ...{ currency: 'CHF', sum: '-93.00', ignored: 2, difference: '-27.00' },
    rows: ['2026-03-02 9.00', '2026-03-05 -120.00', '2026-03-09 18.00'],
  },
  'csv-split-rows-below-whole.csv': {
    ...{ sum: '-1.50', payees: ['Kiosk', 'Supermarkt', 'Flohmarkt'] },
    rows: ['2022-08-15 -2.00', '2022-08-16 -4.50', '2022-08-17 5.00'],
    parts: ['-1.50 Essen:Brot', '-3.00 Haushalt:Putzmittel'],
  },
  'csv-ezbookkeeping.csv': {
    answers: {
      columns: {
        ...{ date: 0, direction: 2, category: [3, 4], account: 5, currency: 6, amount: 7 },
        ...{ tags: 12, description: 13 },
      },
    },
    ...{ sum: '840.00', errors: ['directionUnknown'], warnings: ['columnsUnread'] },
    rows: ['2020-02-13 -60.00', '2020-02-14 900.00'],
  },
  'csv-turnover-with-type.csv': {
    ...{ sum: '937.60', statement: ['300.00', '1237.60'] },
    ...{ ignored: 4, warnings: ['columnsUnread'] },
    rows: ['2026-04-02 -12.40', '2026-04-03 950.00'],
  },
  'csv-monzo-whole-pounds.csv': {
    ...{ currency: 'GBP', sum: '104.50' },
    rows: ['2018-03-02 -5.50', '2018-03-03 -10.00', '2018-03-05 120.00'],
  },
  'camt053-batch-with-leading-zeros.xml': {
    ...{
      sum: '-512.40',
      parts: ['-412.40 undefined', '-100.00 undefined'],
      rows: ['2026-03-17 -512.40'],
      statement: ['600.00', '87.60'],
    },
  },
  'camt053-foreign-amounts.xml': {
    ...{ currency: 'CHF', sum: '8693.24', statement: ['0.00', '8693.24'] },
    rows: ['2026-03-10 8748.80', '2026-03-11 -55.56'],
    originals: ['8000.00 EUR', '50.80 EUR'],
  },
  'camt053-yen.xml': {
    ...{ currency: 'JPY', sum: '27', rows: ['2026-02-20 27'], statement: ['1000', '1027'] },
  },
  'camt054-processing-instructions.xml': {
    ...{ currency: 'SEK', sum: '2750.00', rows: ['2026-02-17 2750.00'] },
  },
  'mt940-61-broken-in-the-middle.sta': {
    ...{ sum: '30.00', rows: ['2026-03-27 30.00'], statement: ['200.00', '230.00'] },
  },
  'mt940-86-of-the-statement.sta': {
    ...{ sum: '7150.00', rows: ['2021-01-05 7150.00'], statement: ['61.20', '7211.20'] },
  },
  'mt940-reversal-of-debit.sta': {
    ...{ sum: '0.00', rows: ['2018-12-17 -640.00', '2018-12-17 640.00'] },
    statement: ['1000.00', '1000.00'],
  },
  'mt940-unusual-transaction-type.sta': {
    ...{ currency: 'HUF', sum: '-1412.00', statement: ['50000.00', '48588.00'] },
    rows: ['2026-03-11 -2400.00', '2026-03-11 -12.00', '2026-03-12 1000.00'],
  },
  'ofx-odd-dates.ofx': {
    ...{ currency: 'BRL', sum: '-11.50', rows: ['2021-05-13 -5.50', '2021-05-13 -6.00'] },
  },
  'ofx-values-on-the-next-line.ofx': {
    ...{ currency: 'USD', sum: '492.75', payees: [null, 'Water works'] },
    rows: ['2024-03-06 512.75', '2024-03-07 -20.00'],
  },
  'ofx2-header-with-open-tags.ofx': {
    ...{ currency: 'AUD', type: 'creditCard', sum: '41.60' },
    rows: ['2026-04-02 -18.40', '2026-04-05 60.00'],
  },
  'ofx2-values-on-the-next-line.ofx': {
    ...{ currency: 'USD', sum: '512.75', rows: ['2024-03-06 512.75'] },
  },
  'ynab-thousandths.json': {
    ...{ currency: 'GBP', sum: '1533.56', rowWarnings: ['amountRounded', 'amountRounded'] },
    rows: ['2026-03-01 1000.00', '2026-03-02 -5.13', '2026-03-03 -2461.31', '2026-03-04 3000.00'],
  },
  'csv-ubs-individual-amounts.csv': {
    ...{ currency: 'CHF', sum: '-407.20', warnings: ['columnsUnread'] },
    rows: ['2025-07-25 -35.40', '2025-07-24 -310.00', '2025-07-24 -61.80'],
    parts: ['-110.00 undefined', '-200.00 undefined'],
    statement: ['1000.00', '592.80'],
  },
  'mt940-marks-of-1998.sta': {
    ...{ answers: { currency: 'EUR' }, sum: '0.00', rows: [], errors: ['currencyMismatch'] },
  },
}

describe('a file that other programs read wrong', () => {
  it.each(Object.entries(EXPECTED))('%s is read right', async (name, expected) => {
    const { currency = 'EUR', type = 'checking', answers, suggested, rows, sum } = expected
    const me = await newUser()
    const { id: accountId } = await newAccount(me, { currency, type })
    const sent = await uploaded(me, fileNamed(name), { fileName: name, accountId })
    const suggestions = sent.questions.flatMap(({ key, suggestion }) =>
      suggestion === null ? [] : [[key, key === 'columns' ? JSON.parse(suggestion) : suggestion]],
    )
    expect(Object.fromEntries(suggestions)).toEqual(suggested ?? {})
    const json = { ...suggested, ...answers }
    const read = Object.keys(json).length === 0 ? sent : await answered(me, sent.id, json)
    expect(read.questions).toEqual([])
    const shown = await rowsOf(me, sent.id)
    const booked = shown.filter(({ verdict }) => verdict === 'new')
    expect(booked.map(({ parsed }) => `${parsed.date} ${parsed.amount}`)).toEqual(rows)
    if (expected.payees) {
      expect(booked.map(({ parsed }) => parsed.payeeRaw)).toEqual(expected.payees)
    }
    if (expected.originals) {
      const originals = booked.map(({ parsed: { original } }) => original)
      expect(originals.map((one) => `${one?.amount} ${one?.currency}`)).toEqual(expected.originals)
    }
    expect(booked.flatMap((row) => row.warnings)).toEqual(expected.rowWarnings ?? [])
    // Of rows that are left out, errors do not count.
    expect(
      shown
        .filter(({ verdict }) => verdict === 'error')
        .flatMap((row) => row.errors.map(({ code }) => code)),
    ).toEqual(expected.errors ?? [])
    expect(read.counts['ignored']).toBe(expected.ignored ?? 0)
    expect(read.warnings.map(({ code }) => code)).toEqual(expected.warnings ?? [])
    const parts = booked.flatMap(({ parsed }) => parsed.parts)
    expect(parts.map(({ amount, category }) => `${amount} ${category?.join(':')}`)).toEqual(
      expected.parts ?? [],
    )
    if (expected.difference) {
      expect(read['statements']).toMatchObject([{ difference: expected.difference, ok: false }])
    }
    if (expected.statement) {
      const [opening, closing] = expected.statement
      expect(read['statements']).toMatchObject([{ opening, closing, ok: true }])
    }
    await committed(me, sent.id, expected.difference ? { force: true } : {})
    expect((await ok(getAccountByID, { as: me, id: accountId })).balance).toBe(sum)
  })
})

const rowsOf = async (me: Principal, id: string) => (await ok(listImportRows, { as: me, id })).rows

it('no answer about the currency of new accounts says what a row means that names another', async () => {
  const me = await newUser()
  const columns = { date: 2, account: 3, payee: 4, note: 5, amount: 6, currency: 7 }
  const answers = { columns, currency: 'EUR' }
  const { id, questions } = await readInto(me, 'csv-row-currency-against-answer.csv', answers)
  expect(questions).toEqual([])
  expect((await rowsOf(me, id)).flatMap((row) => row.errors.map(({ code }) => code))).toEqual([
    ...['currencyMismatch', 'currencyMismatch'],
  ])
  await committed(me, id)
  const { accounts } = await ok(getUserAccounts, { as: me })
  expect(accounts.map(({ name, currency, balance }) => [name, currency, balance])).toEqual([
    ['Giro', 'EUR', '-71.30'],
    ['Purse', 'EUR', '20.80'],
  ])
})

it('PayPal in German has an account for each currency, and conversions are transfers', async () => {
  const me = await newUser()
  const { id } = await readInto(me, 'csv-paypal-german.csv')
  await committed(me, id, { transfers: 'match' })
  const { accounts } = await ok(getUserAccounts, { as: me })
  expect(accounts.map(({ currency, balance }) => [currency, balance])).toEqual([
    ['EUR', '1072.26'],
    ['USD', '0.00'],
  ])
  const { transactions } = await ok(listTransactions, { as: me })
  expect(
    transactions.map(({ kind, signedAmount }) => `${kind} ${signedAmount}`).toSorted(),
  ).toEqual([
    ...['expense -10.00', 'income 1072.26', 'income 9.20', 'transfer -9.20', 'transfer 10.00'],
  ])
})

describe('a split with one part', () => {
  it('is a transfer, or has its category and its text', async () => {
    const me = await newUser()
    const name = 'qif-one-part-is-a-transfer.qif'
    const answers = { dateOrder: 'MDY', currency: 'EUR', categoryMap: { '*': 'create' } }
    const { id, questions } = await readInto(me, name, answers)
    expect(questions).toEqual([])
    await committed(me, id, { transfers: 'match' })
    const { accounts } = await ok(getUserAccounts, { as: me })
    expect(accounts.map(({ name: of, balance }) => [of, balance])).toEqual([
      ['Budget Book', '-112.00'],
      ['Konto 2', '100.00'],
    ])
    const { transactions } = await ok(listTransactions, { as: me })
    const food = expect.stringMatching(/^cat_/)
    expect(transactions.map((one) => [one.kind, one.description, one.categoryId])).toEqual([
      ['expense', 'Peaches', food],
      ['transfer', '', null],
      ['transfer', '', null],
    ])
  })

  it('with more parts than a transaction may have is left to the user', async () => {
    const me = await newUser()
    const { id: accountId } = await newAccount(me)
    const parts = 'SFood\n$-1.00\n'.repeat(101)
    const { id } = await uploaded(me, `!Type:Bank\nD2026-02-14\nT-101.00\n${parts}^\n`, {
      accountId,
    })
    const [row] = await rowsOf(me, id)
    expect(row?.errors.map(({ code }) => code)).toEqual(['tooManyParts'])
    const decided = {
      as: me,
      path: { id, rowId: row?.id as string },
      json: { decision: 'book' as const },
    }
    expect((await ok(updateImportRow, decided)).verdict).toBe('new')
    await committed(me, id)
    const { transactions } = await ok(listTransactions, { as: me })
    expect(transactions.map((one) => [one.signedAmount, one.splits])).toEqual([['-101.00', []]])
  })
})
