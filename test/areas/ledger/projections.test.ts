import { describe, expect, it } from 'vitest'
import { getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  createTransaction,
  deleteTransaction,
  getTransaction,
  listTransactions,
  updateTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { deleteCategory } from '../../../src/areas/money/categories/categories.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { newCategory } from '../transactions/booking.ts'
import { differencesOf } from './ledger.ts'

const LARGEST = '90071992547409.91'

const book = (as: TestUser, accountId: string, kind: 'expense' | 'income', amount: string) =>
  call(createTransaction, { as, json: { kind, accountId, date: '2026-11-20', amount } })

async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me)
  return { me, account, expense: (await book(me, account.id, 'expense', '12.30')).body }
}

/** Why the database refuses a statement. */
const refusalOf = (sql: string) =>
  rows(sql).then(
    () => 'it does not',
    (error: unknown) => String(error),
  )

it('changes categories, notes and statuses in place, and keeps what follows from them', async () => {
  const { me, account } = await newBooks()
  const [food, fuel] = [await newCategory(me), await newCategory(me)]
  const splits = [{ amount: '5' }, { amount: '7.30', categoryId: food.id }]
  const { id } = await ok(createTransaction, {
    as: me,
    json: { kind: 'expense', accountId: account.id, date: '2026-11-20', amount: '12.30', splits },
  })
  const { splits: stored } = await ok(getTransaction, { as: me, id })
  const [one, two] = splits.map((part, at) => ({ ...part, id: stored[at]?.id }))
  const uncategorised = async () =>
    (
      await ok(listTransactions, { as: me, query: { uncategorised: 'true', status: 'reconciled' } })
    ).transactions.map((found) => found.id)
  await rows(
    `CREATE TRIGGER none_comes AFTER INSERT ON entries BEGIN SELECT RAISE(ABORT, 'replaced'); END`,
  )
  try {
    const changed = await ok(updateTransaction, {
      as: me,
      id,
      json: {
        status: 'reconciled',
        splits: [{ ...one, amount: '5', note: 'a note' }, two] as typeof splits,
      },
    })
    expect(changed).toMatchObject({ status: 'reconciled', splits: [{ note: 'a note' }, {}] })
    expect(await uncategorised()).toEqual([id])
    const parts = [{ ...one, categoryId: fuel.id }, two] as typeof splits
    await ok(updateTransaction, { as: me, id, json: { splits: parts, force: true } })
    expect(await uncategorised()).toEqual([])
    await ok(deleteCategory, { as: me, id: fuel.id, query: { reassignTo: food.id } })
    expect(await ok(getAccountByID, { as: me, id: account.id })).toMatchObject({
      clearedBalance: '-12.30',
      reconciledBalance: '-12.30',
    })
  } finally {
    await rows('DROP TRIGGER none_comes')
  }
  expect(await differencesOf(me)).toEqual([])
})

describe('the database itself', () => {
  it('refuses to move an entry, or to replace one, in place', async () => {
    const { me, expense } = await newBooks()
    const ofIt = `transaction_id = '${expense.id}' AND line = 2`
    for (const change of ['amount_minor = 1', "date = '2026-11-21'", "status = 'void'"]) {
      expect(await refusalOf(`UPDATE entries SET ${change} WHERE ${ofIt}`)).toContain(
        'entries are never moved in place',
      )
    }
    expect(
      await refusalOf(`INSERT OR REPLACE INTO entries SELECT * FROM entries WHERE ${ofIt}`),
    ).toContain('entries are never replaced in place')
    expect(await differencesOf(me)).toEqual([])
  })

  const entryOf = (
    { me, account, expense }: Awaited<ReturnType<typeof newBooks>>,
    wanted: Partial<Record<'owner' | 'amount' | 'currency' | 'date' | 'account', string>>,
  ) => `INSERT INTO entries VALUES ('${expense.id}', 9, '${wanted.owner ?? me.id}',
      '${wanted.account ?? account.id}', 'account', '${wanted.date ?? '2026-11-20'}',
      ${wanted.amount ?? '5'}, '${wanted.currency ?? 'EUR'}', 'cleared', NULL, NULL, NULL, NULL, NULL, 0, '', NULL, NULL)`

  it.each([
    ['of another currency than its account', { currency: 'USD' }, 'FOREIGN KEY'],
    ["of somebody else's account", { owner: 'usr_other' }, 'FOREIGN KEY'],
    ['of no account', { account: 'acc_none' }, 'FOREIGN KEY'],
    ['of nothing', { amount: '0' }, 'entry_amount_not_zero'],
    ['of 2^53', { amount: '9007199254740992' }, 'entry_amount_range'],
    ['of -2^53', { amount: '-9007199254740992' }, 'entry_amount_range'],
    ['of half a unit', { amount: '0.5' }, 'cannot store REAL'],
    ['without a date', { date: 'today' }, 'entry_date'],
  ])('refuses an entry %s', async (_, wanted, why) => {
    const books = await newBooks()
    expect(await refusalOf(entryOf(books, wanted))).toContain(why)
    expect(await differencesOf(books.me)).toEqual([])
  })

  it('refuses to give an account with entries another currency or another owner', async () => {
    const { account } = await newBooks()
    const other = await newUser()
    for (const change of ["currency = 'USD'", `owner_id = '${other.id}'`]) {
      expect(await refusalOf(`UPDATE accounts SET ${change} WHERE id = '${account.id}'`)).toContain(
        'FOREIGN KEY',
      )
    }
  })

  it('never changes or forgets a row of the log', async () => {
    const { expense } = await newBooks()
    const ofIt = `FROM log_entries WHERE resource_id = '${expense.id}'`
    for (const [table, number] of [
      ['log_events', 'number'],
      ['log_commits', 'commit_number'],
    ]) {
      const those = `WHERE number IN (SELECT ${number} ${ofIt})`
      for (const statement of [
        `UPDATE ${table} SET type = 'x' ${those}`,
        `DELETE FROM ${table} ${those}`,
        `INSERT OR REPLACE INTO ${table} SELECT * FROM ${table} ${those}`,
      ]) {
        expect(await refusalOf(statement), statement).toContain('append-only')
      }
    }
  })
})

describe('a balance', () => {
  it('goes up to 2^53 - 1 minor units and not one further, and nothing of the refused one is left', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    expect((await book(me, account.id, 'income', LARGEST)).status).toBe(201)
    const over = await book(me, account.id, 'income', '0.01')
    expect([over.status, over.error.code]).toEqual([409, 'ledger.outOfRange'])
    const { balance, transactionCount } = await ok(getAccountByID, { as: me, id: account.id })
    expect([balance, transactionCount]).toEqual([LARGEST, 1])
    expect((await ok(listTransactions, { as: me })).count).toBe(1)
    const written = await rows(
      "SELECT 1 FROM log_entries WHERE owner_id = ? AND type = 'transaction.created'",
      me.id,
    )
    expect(written).toHaveLength(1)
    expect(await differencesOf(me)).toEqual([])
  })

  it('goes down to -(2^53 - 1) and not one further', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    expect((await book(me, account.id, 'expense', LARGEST)).status).toBe(201)
    const over = await book(me, account.id, 'expense', '0.01')
    expect([over.status, over.error.code]).toEqual([409, 'ledger.outOfRange'])
    expect((await ok(getAccountByID, { as: me, id: account.id })).balance).toBe(`-${LARGEST}`)
    expect(await differencesOf(me)).toEqual([])
  })

  it('that a transfer would overflow refuses both of its legs', async () => {
    const me = await newUser()
    const [from, to] = [await newAccount(me), await newAccount(me)]
    await book(me, to.id, 'income', LARGEST)
    const json = {
      fromAccountId: from.id,
      toAccountId: to.id,
      date: '2026-11-20',
      amount: '1',
    }
    const over = await call(createTransfer, { as: me, json })
    expect([over.status, over.error.code]).toEqual([409, 'ledger.outOfRange'])
    expect((await ok(getAccountByID, { as: me, id: from.id })).balance).toBe('0.00')
    expect(await differencesOf(me)).toEqual([])
  })

  it('takes what is void as a transaction, and not as money', async () => {
    const { me, account, expense } = await newBooks()
    const seen = async () => {
      const { balance, clearedBalance, reconciledBalance, transactionCount } = await ok(
        getAccountByID,
        { as: me, id: account.id },
      )
      return [balance, clearedBalance, reconciledBalance, transactionCount]
    }
    const expected = {
      pending: ['-12.30', '0.00', '0.00', 1],
      uncleared: ['-12.30', '0.00', '0.00', 1],
      cleared: ['-12.30', '-12.30', '0.00', 1],
      reconciled: ['-12.30', '-12.30', '-12.30', 1],
      void: ['0.00', '0.00', '0.00', 1],
    }
    for (const status of ['void', 'pending', 'cleared', 'reconciled', 'uncleared'] as const) {
      await ok(updateTransaction, { as: me, id: expense.id, json: { status, force: true } })
      expect(await seen(), status).toEqual(expected[status])
      expect(await differencesOf(me)).toEqual([])
    }
    await ok(deleteTransaction, { as: me, id: expense.id })
    expect(await seen()).toEqual(['0.00', '0.00', '0.00', 0])
    expect(await differencesOf(me)).toEqual([])
  })

  it('knows its newest date, also when that transaction goes', async () => {
    const { me, account, expense } = await newBooks()
    const newest = async () =>
      (await ok(getAccountByID, { as: me, id: account.id })).lastTransactionDate
    const json = { kind: 'income' as const, accountId: account.id, amount: '1' }
    await ok(createTransaction, { as: me, json: { ...json, date: '2026-01-31' } })
    expect(await newest()).toBe('2026-11-20')
    await ok(updateTransaction, { as: me, id: expense.id, json: { date: '2025-01-31' } })
    expect(await newest()).toBe('2026-01-31')
    await ok(deleteTransaction, { as: me, id: expense.id })
    expect(await newest()).toBe('2026-01-31')
    expect(await differencesOf(me)).toEqual([])
  })
})
