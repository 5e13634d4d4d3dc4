import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { work } from '../../../src/areas/index.ts'
import { compareLedger } from '../../../src/ledger/integrity/checks.usecases.ts'
import { accountsAfter } from '../../../src/ledger/integrity/recalculation.queries.ts'
import { checkLedger, recalculateJob } from '../../../src/ledger/integrity/checks.jobs.ts'
import {
  createTransaction,
  deleteTransaction,
} from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { systemPorts } from '../../../src/platform/context.ts'
import { read } from '../../../src/platform/database/database.ts'
import { tick } from '../../../src/platform/work/tasks.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { newCategory } from '../transactions/booking.ts'
import { differencesOf, findings } from './ledger.ts'

/** An account with a transfer out of it, an expense in two parts, the only transaction of its month, and one in the trash. */
async function newBooks() {
  const me = await newUser()
  await newCategory(me, 'income')
  await newCategory(await newUser())
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
      externalId: 'x',
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

const ofMonth = ({ account }: Books) =>
  `account_id = '${account}' AND flow = 'expense' AND period = '2026-03'`
const spent = ({ account }: Books) => `expense of account ${account} in 2026-03: kept `

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
      `INSERT INTO account_balances VALUES ('${account}', 3770, 8770, -1230, 10000, 3, '2026-04-01', 0)`,
    found: ({ account }) => [
      `account ${account}: kept nothing, entries give 3770/8770/-1230/10000/3`,
    ],
  },
  ...['-1229/0/2/170', '-1230/0/2/171'].map((kept, at): Plant => {
    const column = ['amount_minor', 'inflow_minor'][at]
    const change = (by: string) => (books: Books) =>
      `UPDATE flow_periods SET ${column} = ${column} ${by} WHERE ${ofMonth(books)}`
    const found = (books: Books) => [`${spent(books)}${kept}, entries give -1230/0/2/170`]
    return { name: `a wrong ${column} of a month`, sql: change('+ 1'), heal: change('- 1'), found }
  }),
  {
    name: 'a flow that is not kept',
    sql: (books) => `DELETE FROM flow_periods WHERE ${ofMonth(books)}`,
    heal: ({ account }) =>
      `INSERT INTO flow_periods VALUES ('${account}', 'month', '2026-03', 'expense', '', '', -1230, 0, 2, 170)`,
    found: (books) => [`${spent(books)}nothing, entries give -1230/0/2/170`],
  },
  {
    name: 'a flow without entries',
    sql: ({ account }) =>
      `INSERT INTO flow_periods VALUES ('${account}', 'month', '2026-09', 'transfer', '', 'acc', 0, 0, 1, 0)`,
    heal: ({ account }) =>
      `DELETE FROM flow_periods WHERE account_id = '${account}' AND period = '2026-09'`,
    found: ({ account }) => [
      `transfer to or from acc of account ${account} in 2026-09: kept 0/0/1/0, entries give nothing`,
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
        '2026-03-20', -170, 'EUR', 'reconciled', NULL, NULL, NULL, NULL, NULL, 0, '', NULL, NULL)`,
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
    name: 'a header that became private alone',
    sql: ({ transaction }) => `UPDATE transactions SET private = 1 WHERE id = '${transaction}'`,
    heal: ({ transaction }) => `UPDATE transactions SET private = 0 WHERE id = '${transaction}'`,
    found: ({ transaction }) => [
      `entry ${transaction}-1: its external id is unique among other lines than its transaction says`,
    ],
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
      `INSERT INTO unbooked_entries SELECT transaction_id, line, owner_id, account_id, side, date, amount_minor,
        currency, status, category_id, note, external_id, pair, payee_raw, 'trash' FROM entries WHERE transaction_id = '${transaction}'`,
    heal: ({ transaction }) =>
      `DELETE FROM unbooked_entries WHERE transaction_id = '${transaction}'`,
    found: ({ transaction }) => [
      `transaction ${transaction}: is not in the trash but has entries there`,
    ],
  },
  {
    name: 'entries that are put away for another reason',
    sql: ({ gone }) =>
      `UPDATE unbooked_entries SET reason = 'match' WHERE transaction_id = '${gone}'`,
    heal: ({ gone }) =>
      `UPDATE unbooked_entries SET reason = 'trash' WHERE transaction_id = '${gone}'`,
    found: ({ gone }) => [`transaction ${gone}: is in the trash without its entries`],
  },
  {
    name: 'a line that says that it has a category',
    sql: ({ transaction }) =>
      `UPDATE entries SET uncategorised = 0 WHERE transaction_id = '${transaction}' AND line = 1`,
    heal: ({ transaction }) =>
      `UPDATE entries SET uncategorised = 1 WHERE transaction_id = '${transaction}' AND line = 1`,
    found: ({ transaction }) => [
      `entry ${transaction}-1: kept categorised, entries give the opposite`,
    ],
  },
  ...(['entries', 'unbooked_entries'] as const).map((table): Plant => {
    const idOf = ({ transaction, gone }: Books) => (table === 'entries' ? transaction : gone)
    const setCategory = (books: Books, category: string) =>
      `UPDATE ${table} SET category_id = ${category} WHERE transaction_id = '${idOf(books)}' AND line = 2`
    return {
      name: `a category of another kind on a line of ${table}`,
      sql: (books) =>
        setCategory(
          books,
          `(SELECT id FROM categories WHERE owner_id = '${books.me.id}' AND kind = 'income' LIMIT 1)`,
        ),
      heal: (books) => setCategory(books, 'NULL'),
      found: (books) => [
        `entry ${idOf(books)}-2: its side is expense, its category of the kind income`,
      ],
    }
  }),
  {
    name: "another owner's category",
    sql: ({ me, transaction }) =>
      `UPDATE entries SET category_id = (SELECT id FROM categories WHERE owner_id <> '${me.id}'
        AND kind = 'expense' LIMIT 1) WHERE transaction_id = '${transaction}' AND line = 2`,
    heal: ({ transaction }) =>
      `UPDATE entries SET category_id = NULL WHERE transaction_id = '${transaction}' AND line = 2`,
    found: ({ transaction }) => [`entry ${transaction}-2: its category is another owner's`],
  },
  {
    name: 'an entry that got lost in the trash',
    sql: ({ gone }) =>
      `UPDATE unbooked_entries SET amount_minor = 501 WHERE transaction_id = '${gone}' AND line = 2`,
    heal: ({ gone }) =>
      `UPDATE unbooked_entries SET amount_minor = 500 WHERE transaction_id = '${gone}' AND line = 2`,
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
    const [told, ofUser] = [await findings(ids), await differencesOf(books.me)]
    await rows(heal(books))
    const expected = found(books).map((text) => expect.stringContaining(text) as unknown)
    expect(told).toEqual(expected)
    expect(ofUser).toEqual(expect.arrayContaining(expected))
    expect(await findings(ids)).toEqual([])
    expect(await differencesOf(books.me)).toEqual([])
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
         iif(line <= 1200, ${largest}, -${largest}), 'EUR', 'void', NULL, NULL, NULL, NULL, NULL, line = 1, '', NULL, NULL FROM n`,
      id,
      me.id,
      account,
    )
    expect(await differencesOf(me)).toEqual([])
    await rows('DELETE FROM entries WHERE transaction_id = ?', id)
    await rows('DELETE FROM transactions WHERE id = ?', id)
  })
})

describe('the reconciliation in steps', () => {
  const ONE = { accounts: 1, transactions: 1 }

  /** What steps of one account or transaction find, beginning right before these books. */
  async function stepsFrom({ me }: Books) {
    const before = async (table: 'accounts' | 'transactions') => {
      const [row] = await rows<{ id: string | null }>(
        `SELECT max(id) AS id FROM ${table} WHERE id < (SELECT min(id) FROM ${table} WHERE owner_id = ?)`,
        me.id,
      )
      return { of: table, after: row?.id ?? '' }
    }
    const steps = []
    for (const place of [await before('accounts'), await before('transactions')]) {
      for await (const step of compareLedger(contextWith(), place, ONE)) {
        steps.push(Object.values(step.found).flat())
        if (step.next?.of !== place.of) {
          break
        }
      }
    }
    return steps
  }

  const some = plants.filter(({ name }) =>
    [
      'a wrong newest date',
      'a month without entries',
      'a period that is not kept',
      'a lost entry',
      'entries of what is in the trash',
      'a transaction without entries',
    ].includes(name),
  )

  it.each(some)('finds $name, in one step of many', async ({ sql, heal, found }) => {
    const books = await newBooks()
    await rows(sql(books))
    const steps = await stepsFrom(books)
    await rows(heal(books))
    const ids = [books.account, books.transaction, books.gone, `txn_empty-${books.me.id}`]
    const told = steps.map((findings) =>
      findings.filter((finding) => ids.some((id) => finding.includes(id))),
    )
    expect(told.filter((findings) => findings.length > 0)).toEqual([
      found(books).map((text) => expect.stringContaining(text)),
    ])
    // Two accounts, and the opening balance, both sides of the transfer together, the expense and what is in the trash.
    expect(steps.length).toBeGreaterThanOrEqual(2 + 4)
  })

  it('takes accounts together until they have many transactions, and never more than it may', async () => {
    const me = await newUser()
    const ids = []
    for (let at = 0; at < 5; at++) {
      ids.push((await newAccount(me)).id)
    }
    // Those of one millisecond are in no order.
    ids.sort()
    const [one = '', two = '', three = ''] = ids
    const booked = (id: string, count: number) =>
      rows('UPDATE account_balances SET transaction_count = ? WHERE account_id = ?', count, id)
    const [before] = await rows<{ id: string }>(
      'SELECT max(id) AS id FROM accounts WHERE id < ?',
      one,
    )
    const step = async (after: string, accounts: number) => {
      const [found] = await read(
        contextWith(),
        accountsAfter(after, { accounts, transactions: 10 }),
      )
      return found.map(({ id }) => id)
    }
    await booked(one, 4)
    await booked(two, 1)
    await booked(three, 99)
    const steps = [await step(before?.id ?? '', 100), await step(two, 100), await step(three, 2)]
    for (const id of ids) {
      await booked(id, 0)
    }
    expect(steps).toEqual([[one, two], [three], ids.slice(3)])
  })
})

describe('the nightly check', () => {
  const lastLog = async () => {
    const [row] = await rows<{ facts: string; actor_type: string }>(
      "SELECT facts, actor_type FROM log_entries WHERE type = 'ledger.checked' ORDER BY number DESC",
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
      'budgets',
      'categories',
      'entries',
      'flowDays',
      'flowMonths',
      'headers',
      'matched',
      'parts',
      'periods',
      'transfers',
      'trash',
      'uncategorised',
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

  it('goes on in another task where one has done enough, which tells what both found', async () => {
    const { me, account } = await newBooks()
    await rows('UPDATE account_periods SET cleared_minor = 7 WHERE account_id = ?', account)
    const before = await rows<{ id: string }>('SELECT max(id) AS id FROM transactions')
    const place = { of: 'transactions', after: before[0]?.id ?? '' }
    const counts = { balances: 2, periods: 40, balance: 0 }
    const said = vi.spyOn(console, 'log')
    await checkLedger.run(contextWith(), { place, counts, findings: ['an earlier one'] }, [])
    const lines = said.mock.calls.map(([line]) => String(line))
    said.mockRestore()
    // Accounts were looked at before, so what is wrong there is not found again.
    expect((await lastLog())?.facts).toEqual(counts)
    const alarm = lines.find((line) => line.includes('ledger.differs'))
    expect(JSON.parse(alarm ?? '{}')).toMatchObject({ counts, findings: ['an earlier one'] })
    await recalculateJob.run(contextWith(), {}, [])
    expect(await differencesOf(me)).toEqual([])
  })

  it('stops between two steps once somebody cancels it', async () => {
    const { me } = await newBooks()
    const id = `tsk_${me.id}`
    await rows(
      `INSERT INTO tasks (id, kind, payload, state, attempts, max_attempts, created_at, next_attempt_at,
          cancel_requested_at) VALUES (?, 'ledger.check', '{}', 'running', 1, 5, 0, 4e12, 1)`,
      id,
    )
    const ctx = contextWith({ task: { id, attempt: 1, createdBy: null } })
    await expect(checkLedger.run(ctx, {}, [])).rejects.toMatchObject({ code: 'tasks.cancelled' })
    await rows('DELETE FROM tasks WHERE id = ?', id)
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
