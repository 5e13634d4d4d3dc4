import { describe, expect, it } from 'vitest'
import { setImportMapping } from '../../../src/areas/intake/imports/imports.routes.ts'
import {
  getAccountByID,
  getUserAccounts,
} from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok } from '../../support/api.ts'
import { filesBeside } from '../../support/beside.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { committed, type ImportBody, settled, uploaded } from './importing.ts'

// Real files of banks are not part of the project. Where they are at hand, each is imported twice, and gives what an
// independent parser counted. The dialects that they show are in the fixtures of test/domain too.

const FILES = filesBeside('imports/*/*.*')

interface Expected {
  currency?: string
  rows: number
  /** What the account holds afterwards. */
  sum: string
  /** Answers to what the file does not say; of accounts, the names that go to the one account. */
  answers?: object
  accounts?: string[]
  ignored?: number
  warnings?: string[]
  /** Differences of the statements that do not add up. */
  differences?: string[]
  statements?: number
}

const RAIFFEISEN = { date: 0, valueDate: 2, amount: 3, currency: 4, description: 1 }

const EXPECTED: Record<string, Expected> = {
  'csv/outbank.csv': { rows: 4, sum: '-35.89' },
  'csv/n26-fr.csv': { rows: 2, sum: '0.00' },
  'csv/schwab-checking.csv': { currency: 'USD', rows: 4, sum: '-215.27', statements: 1 },
  'csv/mint.csv': {
    ...{ currency: 'USD', rows: 4, sum: '-3000.00' },
    accounts: ['Savings', 'Checking'],
  },
  'csv/bunq.csv': { rows: 7, sum: '-23.82' },
  'csv/raiffeisen-headerless.csv': {
    ...{ rows: 74, ignored: 1, sum: '-4580.70' },
    answers: { columns: RAIFFEISEN },
  },
  'ofx/actual-bank.ofx': { currency: 'USD', rows: 10, sum: '-364.41', statements: 1 },
  'ofx/actual-html-entities.qfx': { currency: 'CAD', rows: 2, sum: '-2.00', statements: 1 },
  'qif/actual-bank.qif': { currency: 'USD', rows: 18, sum: '394.06' },
  'mt940/asn-bank.sta': { rows: 8, sum: '56.94', statements: 31 },
  'mt940/abnamro.sta': {
    ...{ rows: 10, sum: '-345.93', statements: 2, warnings: ['statementMissing'] },
    differences: ['-2038.00', '-1002.60'],
  },
  'camt053/actual-camt053-v4.xml': {
    ...{ rows: 6, sum: '-164.10', statements: 1, differences: ['167.55'] },
  },
  'camt053/genkgo-v2-multi-statement.xml': { rows: 2, sum: '1.85', statements: 2 },
}

const textOf = (name: string) => FILES.get(`imports/${name}`)?.toString() ?? ''

describe.skipIf(FILES.size === 0)('a real file', () => {
  it.each(Object.entries(EXPECTED))('%s gives what is in it, once', async (name, expected) => {
    const text = textOf(name)
    const me = await newUser()
    const account = await newAccount(me, { currency: expected.currency ?? 'EUR' })
    const accountMap = Object.fromEntries(
      (expected.accounts ?? []).map((foreign) => [foreign, account.id]),
    )
    const read = async (): Promise<ImportBody> => {
      const sent = await uploaded(me, text, { accountId: account.id })
      if (sent.state !== 'questions') {
        return sent
      }
      const json = { ...expected.answers, ...(expected.accounts ? { accountMap } : {}) }
      await ok(setImportMapping, { as: me, id: sent.id, json })
      return settled(me, sent.id)
    }
    const first = await read()
    const { rows, sum, ignored = 0 } = expected
    expect(first.counts).toMatchObject({ rows, new: rows - ignored, ignored, error: 0 })
    expect((first['warnings'] as { code: string }[]).map(({ code }) => code)).toEqual(
      expected.warnings ?? [],
    )
    const statements = first['statements'] as { ok: boolean | null; difference: string }[]
    expect(statements).toHaveLength(expected.statements ?? 0)
    const wrong = statements.filter((statement) => statement.ok === false)
    expect(wrong.map(({ difference }) => difference)).toEqual(expected.differences ?? [])
    expect((await committed(me, first.id, { force: true })).state).toBe('done')
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe(sum)
    const again = await read()
    expect(again.counts).toMatchObject({ rows, new: 0, duplicate: rows - ignored, ignored })
    await committed(me, again.id, { force: true })
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe(sum)
  })

  it('of a plan of YNAB gives its accounts and categories, and what they hold', async () => {
    const me = await newUser()
    const sent = await uploaded(me, textOf('ynab/ynab5-plan-export.json'), {
      fileName: 'plan.json',
    })
    const foreign = sent.accounts.map((one) => one.foreign)
    await ok(setImportMapping, {
      as: me,
      id: sent.id,
      json: {
        accountMap: Object.fromEntries(foreign.map((key) => [key, 'create'])),
        categoryMap: { '*': 'create' },
      },
    })
    const done = await committed(me, sent.id, { transfers: 'match' })
    expect(done.counts).toMatchObject({ rows: 9, error: 0, ignored: 2 })
    // Rows that are dated after the export are booked, and are not in the balances that the file tells.
    const statements = done['statements'] as { ok: boolean; closing: string }[]
    expect(statements.map(({ ok: isRight, closing }) => [isRight, closing])).toEqual([
      ...[
        [true, '700.00'],
        [true, '200.00'],
      ],
    ])
    const { accounts } = await ok(getUserAccounts, { as: me })
    expect(
      accounts.map(({ name, type, currency, balance }) => [name, type, currency, balance]),
    ).toEqual([
      ...[
        ['Checking', 'checking', 'USD', '2600.00'],
        ['Saving', 'savings', 'USD', '250.00'],
      ],
    ])
    const { transfers } = await ok(listTransfers, { as: me })
    expect(transfers.map(({ date }) => date)).toEqual(['2023-08-04'])
    const again = await uploaded(me, textOf('ynab/ynab5-plan-export.json'), { fileName: 'p.json' })
    expect(again.counts).toMatchObject({ rows: 9, duplicate: 7, ignored: 2 })
  })
})
