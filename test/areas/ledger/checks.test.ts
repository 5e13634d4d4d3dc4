import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { checkLedger } from '../../../src/areas/ledger/ledger.jobs.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/transfers/transfers.routes.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { tick } from '../../../src/platform/tasks.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf, findings } from './ledger.ts'

/** An account with a transfer out of it, an expense in two parts, the only transaction of its month, and one in the trash. */
async function newBooks() {
  const me = await newUser()
  const account = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const other = await newAccount(me, { currency: 'JPY' })
  const expense = await ok(createTransaction, {
    as: me,
    json: {
      kind: 'expense',
      accountId: account.id,
      date: '2026-03-20',
      amount: '12.30',
      status: 'reconciled',
      splits: [{ amount: '14' }, { amount: '-1.70' }],
    },
  })
  await ok(createTransfer, {
    as: me,
    json: {
      fromAccountId: account.id,
      toAccountId: other.id,
      date: '2026-04-01',
      amount: '50',
      toAmount: '8000',
    },
  })
  const json = { kind: 'expense', accountId: account.id, date: '2026-03-20', amount: '5' } as const
  const { id: gone } = await ok(createTransaction, { as: me, json })
  await ok(deleteTransaction, { as: me, id: gone })
  return { me, account: account.id, transaction: expense.id, gone }
}

type Books = Awaited<ReturnType<typeof newBooks>>

interface Plant {
  name: string
  sql: (books: Books) => string
  heal: (books: Books) => string
  found: (books: Books) => string[]
}

const KEPT = ['balance_minor', 'cleared_minor', 'reconciled_minor', 'opening_minor'] as const

const keptWrongly = (column: string): Plant => ({
  name: `a kept ${column}`,
  sql: ({ account }) =>
    `UPDATE account_balances SET ${column} = ${column} + 1 WHERE account_id = '${account}'`,
  heal: ({ account }) =>
    `UPDATE account_balances SET ${column} = ${column} - 1 WHERE account_id = '${account}'`,
  found: ({ account }) => [`account ${account}: kept `],
})

const keptWronglyIn = (period: string, column: string): Plant => ({
  name: `a kept ${column} of ${period}`,
  sql: ({ account }) =>
    `UPDATE account_periods SET ${column} = ${column} + 1 WHERE account_id = '${account}' AND period = '${period}'`,
  heal: ({ account }) =>
    `UPDATE account_periods SET ${column} = ${column} - 1 WHERE account_id = '${account}' AND period = '${period}'`,
  found: ({ account }) => [`account ${account} in ${period}: kept `],
})

const ofMonth = ({ account }: Books) => `account_id = '${account}' AND month = '2026-03'`
const category = ({ account }: Books) => `category none of account ${account} in 2026-03: kept `

const plants: Plant[] = [
  ...[...KEPT, 'transaction_count'].map(keptWrongly),
  {
    name: 'a wrong newest date',
    sql: ({ account }) =>
      `UPDATE account_balances SET last_date = '2026-04-02' WHERE account_id = '${account}'`,
    heal: ({ account }) =>
      `UPDATE account_balances SET last_date = '2026-04-01' WHERE account_id = '${account}'`,
    found: ({ account }) => [`account ${account}: kept `],
  },
  {
    name: 'an account without its row of balances',
    sql: ({ account }) => `DELETE FROM account_balances WHERE account_id = '${account}'`,
    heal: ({ account }) =>
      `INSERT INTO account_balances VALUES ('${account}', 3770, 8770, -1230, 10000, 3, '2026-04-01')`,
    found: ({ account }) => [
      `account ${account}: kept nothing, entries give 3770/8770/-1230/10000/3`,
    ],
  },
  {
    name: 'wrong activity of a month',
    sql: (books) =>
      `UPDATE category_months SET activity_minor = activity_minor + 1 WHERE ${ofMonth(books)}`,
    heal: (books) =>
      `UPDATE category_months SET activity_minor = activity_minor - 1 WHERE ${ofMonth(books)}`,
    found: (books) => [`${category(books)}1231/2, entries give 1230/2`],
  },
  {
    name: 'a month that is not kept',
    sql: (books) => `DELETE FROM category_months WHERE ${ofMonth(books)}`,
    heal: ({ account }) =>
      `INSERT INTO category_months VALUES ('${account}', '2026-03', '', 1230, 2)`,
    found: (books) => [`${category(books)}nothing, entries give 1230/2`],
  },
  {
    name: 'a month without entries',
    sql: ({ account }) => `INSERT INTO category_months VALUES ('${account}', '2026-09', '', 0, 1)`,
    heal: ({ account }) =>
      `DELETE FROM category_months WHERE account_id = '${account}' AND month = '2026-09'`,
    found: ({ account }) => [
      `category none of account ${account} in 2026-09: kept 0/1, entries give nothing`,
    ],
  },
  ...['inflow_minor', 'cleared_minor', 'reconciled_minor', 'entry_count'].map((column) =>
    keptWronglyIn('2026-04', column),
  ),
  keptWronglyIn('2026-03-20', 'outflow_minor'),
  {
    name: 'a period that is not kept',
    sql: ({ account }) =>
      `DELETE FROM account_periods WHERE account_id = '${account}' AND period = '2026-03-20'`,
    heal: ({ account }) =>
      `INSERT INTO account_periods VALUES ('${account}', 'day', '2026-03-20', 0, -1230, -1230, -1230, 1)`,
    found: ({ account }) => [
      `account ${account} in 2026-03-20: kept nothing, entries give 0/-1230/-1230/-1230/1`,
    ],
  },
  {
    name: 'a period without entries',
    sql: ({ account }) =>
      `INSERT INTO account_periods VALUES ('${account}', 'month', '2026-09', 1, 0, 0, 0, 1)`,
    heal: ({ account }) =>
      `DELETE FROM account_periods WHERE account_id = '${account}' AND period = '2026-09'`,
    found: ({ account }) => [`account ${account} in 2026-09: kept 1/0/0/0/1, entries give nothing`],
  },
  {
    name: 'a lost entry',
    sql: ({ transaction }) =>
      `DELETE FROM entries WHERE transaction_id = '${transaction}' AND line = 3`,
    heal: ({ me, account, transaction }) =>
      `INSERT INTO entries VALUES ('${transaction}', 3, '${me.id}', '${account}', 'expense',
        '2026-03-20', -170, 'EUR', 'reconciled', NULL, NULL, NULL)`,
    found: ({ transaction }) => [
      `transaction ${transaction}: its entries sum to 170 EUR in 2 lines`,
    ],
  },
  {
    name: 'a header with another date',
    sql: ({ transaction }) =>
      `UPDATE transactions SET date = '2026-03-21' WHERE id = '${transaction}'`,
    heal: ({ transaction }) =>
      `UPDATE transactions SET date = '2026-03-20' WHERE id = '${transaction}'`,
    found: ({ transaction }) =>
      [1, 2, 3].map((line) => `entry ${transaction}-${line}: its transaction is of 2026-03-21`),
  },
  {
    name: 'entries of what is in the trash',
    sql: ({ transaction }) => `UPDATE transactions SET deleted_at = 1 WHERE id = '${transaction}'`,
    heal: ({ transaction }) =>
      `UPDATE transactions SET deleted_at = NULL WHERE id = '${transaction}'`,
    found: ({ transaction }) => [
      `transaction ${transaction}: is in the trash and has entries`,
      `transaction ${transaction}: is in the trash without its entries`,
    ],
  },
  {
    name: 'entries in the trash of what is not there',
    sql: ({ transaction }) =>
      `INSERT INTO trashed_entries SELECT * FROM entries WHERE transaction_id = '${transaction}'`,
    heal: ({ transaction }) =>
      `DELETE FROM trashed_entries WHERE transaction_id = '${transaction}'`,
    found: ({ transaction }) => [
      `transaction ${transaction}: is not in the trash but has entries there`,
    ],
  },
  {
    name: 'an entry that got lost in the trash',
    sql: ({ gone }) =>
      `UPDATE trashed_entries SET amount_minor = 501 WHERE transaction_id = '${gone}' AND line = 2`,
    heal: ({ gone }) =>
      `UPDATE trashed_entries SET amount_minor = 500 WHERE transaction_id = '${gone}' AND line = 2`,
    found: ({ gone }) => [`transaction ${gone}: its entries in the trash sum to 1 EUR in 2 lines`],
  },
  {
    name: 'a transaction without entries',
    sql: ({ me }) =>
      `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
       VALUES ('txn_empty-${me.id}', '${me.id}', 'expense', '2026-03-20', 'user', 'x', 1, 1)`,
    heal: ({ me }) => `DELETE FROM transactions WHERE id = 'txn_empty-${me.id}'`,
    found: ({ me }) => [`transaction txn_empty-${me.id}: has no entries`],
  },
]

describe('the reconciliation', () => {
  it('finds nothing in what the service wrote', async () => {
    const { me } = await newBooks()
    expect(await differencesOf(me)).toEqual([])
  })

  it.each(plants)('finds $name, and nothing once it is put right', async ({ sql, heal, found }) => {
    const books = await newBooks()
    const ids = [books.account, books.transaction, books.gone, `txn_empty-${books.me.id}`]
    await rows(sql(books))
    const told = await findings(ids)
    await rows(heal(books))
    expect(told).toEqual(found(books).map((text) => expect.stringContaining(text)))
    expect(await findings(ids)).toEqual([])
  })

  it('adds up more than 64 bits hold, as long as the end fits', async () => {
    const { me, account } = await newBooks()
    const id = `txn_many-${me.id}`
    const largest = Number.MAX_SAFE_INTEGER
    await rows(
      `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
       VALUES (?1, ?2, 'expense', '2026-05-20', 'user', 'x', 1, 1)`,
      id,
      me.id,
    )
    // Void ones move nothing, so no balance overflows on the way; their sum per transaction would.
    await rows(
      `WITH RECURSIVE n (line) AS (SELECT 1 UNION ALL SELECT line + 1 FROM n WHERE line < 2400)
       INSERT INTO entries SELECT ?1, line, ?2, ?3, iif(line = 1, 'account', 'expense'), '2026-05-20',
         iif(line <= 1200, ${largest}, -${largest}), 'EUR', 'void', NULL, NULL, NULL FROM n`,
      id,
      me.id,
      account,
    )
    expect(await differencesOf(me)).toEqual([])
    await rows('DELETE FROM entries WHERE transaction_id = ?', id)
    await rows('DELETE FROM transactions WHERE id = ?', id)
  })
})

describe('the nightly check', () => {
  const lastLog = async () => {
    const [row] = await rows<{ facts: string; actor_type: string }>(
      "SELECT facts, actor_type FROM audit_log WHERE action = 'ledger.checked' ORDER BY rowid DESC",
    )
    return row && { actor: row.actor_type, facts: JSON.parse(row.facts) as Record<string, number> }
  }

  it('logs how many differences each check found, and raises an alarm for any', async () => {
    const { account } = await newBooks()
    const said = vi.spyOn(console, 'log')
    await rows(
      'UPDATE account_balances SET balance_minor = balance_minor + 1 WHERE account_id = ?',
      account,
    )
    await checkLedger.run(contextWith(), {}, [])
    await rows(
      'UPDATE account_balances SET balance_minor = balance_minor - 1 WHERE account_id = ?',
      account,
    )
    const alarm = said.mock.calls
      .map(([line]) => String(line))
      .find((line) => line.includes(account))
    said.mockRestore()
    const names = [
      'balance',
      'balances',
      'categoryMonths',
      'entries',
      'headers',
      'matched',
      'periods',
      'trash',
    ]
    const logged = await lastLog()
    expect(logged?.actor).toBe('system')
    expect(Object.keys(logged?.facts ?? {}).toSorted()).toEqual(names)
    expect(logged?.facts).toMatchObject({ balances: 1 })
    expect(JSON.parse(alarm ?? '{}')).toMatchObject({ level: 'error', event: 'ledger.differs' })
    expect(await rows('SELECT 1 FROM account_balances WHERE account_id = ?', account)).toHaveLength(
      1,
    )
  })

  it('raises no alarm when there is no difference', async () => {
    await newBooks()
    const said = vi.spyOn(console, 'log')
    await checkLedger.run(contextWith(), {}, [])
    const lines = said.mock.calls.map(([line]) => String(line))
    said.mockRestore()
    expect(lines.filter((line) => line.includes('ledger.differs'))).toEqual([])
  })

  it('costs one trip to look and one to log', async () => {
    const ctx = contextWith()
    await checkLedger.run(ctx, {}, [])
    expect(ctx.cost.trips).toBe(2)
  })

  it('is started by the clock at night with the purge, once a day', async () => {
    const now = Date.now()
    for (const _ of [1, 2]) {
      await tick(work, '17 3 * * *', env, { ...systemPorts, now: () => now })
    }
    const done = await rows<{ kind: string; state: string; attempts: number }>(
      "SELECT kind, state, attempts FROM tasks WHERE kind IN ('ledger.check', 'platform.purge') ORDER BY kind",
    )
    expect(done).toEqual([
      { kind: 'ledger.check', state: 'succeeded', attempts: 1 },
      { kind: 'platform.purge', state: 'succeeded', attempts: 1 },
    ])
  })
})
