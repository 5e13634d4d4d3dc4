import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/exchange/imports/imports.routes.ts'
import {
  listImportRows,
  updateImportRow,
} from '../../../src/areas/exchange/imports/rows/rows.routes.ts'
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
  sum: string
  /** Codes of the rows with errors. */
  errors?: string[]
  ignored?: number
  warnings?: string[]
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
    expect(shown.flatMap((row) => row.errors.map(({ code }) => code))).toEqual(
      expected.errors ?? [],
    )
    expect(read.counts['ignored']).toBe(expected.ignored ?? 0)
    expect(read.warnings.map(({ code }) => code)).toEqual(expected.warnings ?? [])
    if (expected.statement) {
      const [opening, closing] = expected.statement
      expect(read['statements']).toMatchObject([{ opening, closing, ok: true }])
    }
    await committed(me, sent.id)
    expect((await ok(getAccountByID, { as: me, id: accountId })).balance).toBe(sum)
  })
})

const rowsOf = async (me: Principal, id: string) => (await ok(listImportRows, { as: me, id })).rows

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
