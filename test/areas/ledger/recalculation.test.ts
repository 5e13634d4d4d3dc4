import { describe, expect, it } from 'vitest'
import { recalculateJob } from '../../../src/ledger/integrity/checks.jobs.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith, databaseWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { differencesOf } from './ledger.ts'

const TABLES = ['account_balances', 'account_periods', 'flow_periods']

/** What is kept of all accounts of the user. */
const keptOf = async ({ id }: TestUser) => {
  const found = await Promise.all(
    TABLES.map((table) =>
      rows(
        `SELECT * FROM ${table} WHERE account_id IN (SELECT id FROM accounts WHERE owner_id = ?)
          ORDER BY 1, 2, 3`,
        id,
      ),
    ),
  )
  return found
}

/** Accounts with something of everything, in the trash, void and in two currencies. */
async function newBooks() {
  const me = await newUser()
  const one = await newAccount(me, { openingBalance: '100', openingDate: '2026-01-01' })
  const two = await newAccount(me, { currency: 'JPY' })
  const empty = await newAccount(me)
  const of = { kind: 'expense', accountId: one.id, date: '2026-03-20', amount: '5' } as const
  await ok(createTransaction, { as: me, json: { ...of, status: 'reconciled' } })
  await ok(createTransaction, { as: me, json: { ...of, status: 'void' } })
  await ok(createTransaction, { as: me, json: { ...of, kind: 'income', status: 'cleared' } })
  const json = {
    ...{ fromAccountId: one.id, toAccountId: two.id, date: '2026-04-01' },
    ...{ amount: '50', toAmount: '8000', fee: { amount: '1' } },
  }
  await ok(createTransfer, { as: me, json })
  return { me, ids: [one.id, two.id, empty.id] as const }
}

const run = (ctx = contextWith()) => recalculateJob.run(ctx, {}, [])

const logOf = (id: string) =>
  rows<{ changes: string; owner_id: string }>(
    "SELECT content AS changes, owner_id FROM log_entries WHERE resource_id = ? AND type = 'account.recalculated'",
    id,
  )

const DAMAGE: [string, (id: string) => Promise<unknown>][] = [
  ...[
    'balance_minor',
    'cleared_minor',
    'reconciled_minor',
    'opening_minor',
    'transaction_count',
  ].map((column): [string, (id: string) => Promise<unknown>] => [
    `a wrong ${column}`,
    (id) => rows(`UPDATE account_balances SET ${column} = ${column} + 7 WHERE account_id = ?`, id),
  ]),
  [
    'wrong lines without a category',
    (id) =>
      rows(
        "UPDATE entries SET uncategorised = 1 - uncategorised WHERE account_id = ? AND side = 'account'",
        id,
      ),
  ],
  ['lost balances', (id) => rows('DELETE FROM account_balances WHERE account_id = ?', id)],
  ['lost periods', (id) => rows('DELETE FROM account_periods WHERE account_id = ?', id)],
  [
    'wrong periods',
    (id) =>
      rows('UPDATE account_periods SET inflow_minor = inflow_minor + 1 WHERE account_id = ?', id),
  ],
  [
    'a period without entries',
    (id) =>
      rows(
        "INSERT INTO account_periods (account_id, grain, period, entry_count) VALUES (?, 'day', '1999-01-01', 1)",
        id,
      ),
  ],
  ['lost flows', (id) => rows('DELETE FROM flow_periods WHERE account_id = ?', id)],
  [
    'a flow without entries',
    (id) =>
      rows(
        "INSERT INTO flow_periods VALUES (?, 'month', '1999-01', 'expense', '', '', 5, 0, 1, 5)",
        id,
      ),
  ],
]

describe('recalculating', () => {
  it.each(DAMAGE)('puts %s right, to the byte', async (_, damage) => {
    const { me, ids } = await newBooks()
    const before = await keptOf(me)
    await damage(ids[0])
    expect(await differencesOf(me)).not.toEqual([])
    await run()
    expect(await differencesOf(me)).toEqual([])
    expect(await keptOf(me)).toEqual(before)
  })

  it('tells of each account what was found, and leaves those alone that are right', async () => {
    const { me, ids } = await newBooks()
    await rows('UPDATE account_balances SET balance_minor = 1 WHERE account_id = ?', ids[2])
    await run()
    const [logged, ...more] = await logOf(ids[2])
    expect([logged?.owner_id, more]).toEqual([me.id, []])
    expect(JSON.parse(logged?.changes ?? '')).toEqual({
      differences: 1,
      findings: [`account ${ids[2]}: kept 1/0/0/0/0, entries give 0/0/0/0/0`],
    })
    expect([await logOf(ids[0]), await logOf(ids[1])]).toEqual([[], []])
    await run()
    expect(await logOf(ids[2])).toHaveLength(1)
    const [last] = await rows<{ facts: string }>(
      "SELECT facts FROM log_entries WHERE type = 'ledger.recalculated' ORDER BY number DESC LIMIT 1",
    )
    expect(JSON.parse(last?.facts ?? '')).toEqual({
      accounts: expect.any(Number),
      differing: 0,
    })
  })

  it('goes on after it was killed at any step', async () => {
    const { me, ids } = await newBooks()
    const before = await keptOf(me)
    for (const id of ids) {
      await rows('UPDATE account_balances SET balance_minor = 99 WHERE account_id = ?', id)
    }
    for (let dies = 1; (await differencesOf(me)).length > 0; dies++) {
      expect(dies).toBeLessThan(1000)
      const database = databaseWith((trip, go) =>
        trip === dies ? Promise.reject(new Error('killed')) : go(),
      ).withSession('first-primary')
      await run(contextWith({ database })).catch(() => undefined)
    }
    expect(await keptOf(me)).toEqual(before)
    expect((await Promise.all(ids.map(logOf))).map((logged) => logged.length)).toEqual([1, 1, 1])
  })

  it('counts what is booked between looking and putting right', async () => {
    const { me, ids } = await newBooks()
    await rows('UPDATE account_balances SET balance_minor = 1 WHERE account_id = ?', ids[2])
    const json = { kind: 'income', accountId: ids[2], date: '2026-05-05', amount: '3' } as const
    let isBooked = false
    const database = databaseWith(async (_, go) => {
      const found = await go()
      if (!isBooked && JSON.stringify(found).includes(ids[2])) {
        isBooked = true
        await ok(createTransaction, { as: me, json })
      }
      return found
    }).withSession('first-primary')
    await run(contextWith({ database }))
    expect(isBooked).toBe(true)
    expect(await differencesOf(me)).toEqual([])
  })
})
