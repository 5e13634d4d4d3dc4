import { expect, it } from 'vitest'
import { eraseInSteps } from '../../../src/areas/data-rights/own-user/own-user.public.ts'
import { wipeData } from '../../../src/areas/data-rights/own-user/erasure/wipe.routes.ts'
import { wipe } from '../../../src/areas/data-rights/own-user/erasure/erasure.usecases.ts'
import { createTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { ledgerData } from '../../../src/ledger/ledger.data.ts'
import { refuseIf } from '../../../src/platform/database/premises.ts'
import { ownedData } from '../../../src/platform/owned-data/owned-data.ts'
import { changedMeanwhile } from '../../../src/platform/database/refusals.ts'
import { sql } from 'drizzle-orm'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { committed, csv, uploaded } from '../imports/importing.ts'
import { book } from '../transactions/booking.ts'
import { matched } from '../transactions/matched-parts.fixtures.ts'
import { newAccount, newUser, registeredUser, type TestUser } from '../../support/world.ts'

it('transactions are erased also where all of one sign would leave the range of amounts', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const pair = (['income', 'expense'] as const).map((kind) => ({
    ...{ kind, accountId: account.id, amount: '90000000000000.00' },
    // Those of one sign come before those of the other wherever they are read by their days.
    date: kind === 'income' ? '2026-01-01' : '2026-01-02',
  }))
  const transactions = Array.from({ length: 150 }, () => pair).flat()
  await ok(createTransactions, { as: me, json: { transactions } })
  await ok(createTransactions, { as: me, json: { transactions } })
  const scope = { ownerId: me.id, before: Number.MAX_SAFE_INTEGER }
  const guard = refuseIf(sql`false`, changedMeanwhile)
  const kinds = (ledgerData.erase ?? []).filter(({ wipedWith }) => wipedWith)
  const runs: boolean[] = []
  for (let run = 0; run < 20 && runs.at(-1) !== true; run++) {
    const { isDone, left } = await eraseInSteps(contextWith(), { scope, kinds, guard })
    expect(left).toEqual([])
    runs.push(isDone)
  }
  expect(runs.at(-1)).toBe(true)
  expect(await rows('SELECT id FROM transactions WHERE owner_id = ?', me.id)).toEqual([])
  const [left] = await rows<{ balance: number }>(
    'SELECT balance_minor AS balance FROM account_balances WHERE account_id = ?',
    account.id,
  )
  expect(left?.balance).toBe(0)
})

/** A wipe under way of the transactions that a user has by now. */
async function wipeOfOld(me: TestUser) {
  await rows('UPDATE transactions SET created_at = 1000 WHERE owner_id = ?', me.id)
  await ok(wipeData, { as: me, json: { kinds: ['transactions'], password: me.password } })
  await rows("UPDATE tasks SET state = 'running' WHERE dedupe_key = ?", `user.wipe ${me.id}`)
  return { userId: me.id, kinds: ['transactions' as const], requestedAt: 2000, dueAt: 2000 }
}

it('a wipe leaves what later bookings need, and says so', async () => {
  const me = await registeredUser()
  const account = await newAccount(me)
  const book = (kind: 'income' | 'expense', amount: string) =>
    ok(createTransaction, {
      as: me,
      json: { kind, accountId: account.id, amount, date: '2026-01-01' },
    })
  const old = [await book('expense', '90071992547409.91'), await book('income', '5.00')]
  const payload = await wipeOfOld(me)
  const later = [await book('income', '90071992547409.91'), await book('income', '1.00')]
  await wipe(contextWith(), payload, [])
  const left = await rows<{ id: string }>('SELECT id FROM transactions WHERE owner_id = ?', me.id)
  expect(left.map(({ id }) => id).toSorted()).toEqual(
    [old[0], ...later].map((one) => one?.id).toSorted(),
  )
  const [told] = await rows<{ changes: string }>(
    "SELECT content AS changes FROM log_entries WHERE type = 'user.wiped' AND owner_id = ?",
    me.id,
  )
  expect(JSON.parse(told?.changes ?? '{}')).toEqual({
    kinds: ['transactions'],
    left: ['transactions'],
  })
  expect(await differencesOf(me)).toEqual([])
})

it('a wipe leaves a split with a newer row that was matched into it', async () => {
  const me = await registeredUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const splits = [{ amount: '7' }, { amount: '30' }]
  const whole = await book(me, one, { amount: '37', splits })
  const payload = await wipeOfOld(me)
  const row = await book(me, two, { kind: 'income', amount: '30' })
  await matched(me, whole, whole.splits[1], row)
  await wipe(contextWith(), payload, [])
  const left = await rows('SELECT id FROM transactions WHERE owner_id = ? ORDER BY id', me.id)
  expect(left).toEqual([{ id: whole.id }, { id: row.id }])
  expect(await differencesOf(me)).toEqual([])
})

it('a wipe takes what can go from among many that cannot', async () => {
  const me = await registeredUser()
  const [held, free] = [await newAccount(me), await newAccount(me)]
  const many = (accountId: string, kind: 'income' | 'expense', count: number) =>
    ok(createTransactions, {
      as: me,
      json: {
        transactions: Array.from({ length: count }, () => ({
          ...{ kind, accountId, amount: '1.00', date: '2026-01-01' },
        })),
      },
    })
  await many(held.id, 'income', 300)
  await many(free.id, 'expense', 300)
  const payload = await wipeOfOld(me)
  const amounts = ['90071992547409.91', '300.00']
  for (const amount of amounts) {
    await ok(createTransaction, {
      as: me,
      json: { kind: 'expense', accountId: held.id, amount, date: '2026-01-01' },
    })
  }
  await wipe(contextWith(), payload, [])
  const left = await rows(
    "SELECT account_id, count(*) AS count FROM entries WHERE owner_id = ? AND side = 'account' GROUP BY 1",
    me.id,
  )
  expect(left).toEqual([{ account_id: held.id, count: 302 }])
})

it('a wipe leaves what newer imports know', async () => {
  const me = await registeredUser()
  const account = await newAccount(me)
  await book(me, account, { amount: '1.00' })
  const payload = await wipeOfOld(me)
  const file = () =>
    uploaded(me, csv(['2026-03-10,TESCO,-12.30', '2026-03-13,TEA,-2.00']), {
      accountId: account.id,
    })
  await committed(me, (await file()).id)
  await wipe(contextWith(), payload, [])
  const again = await committed(me, (await file()).id)
  expect(again['counts']).toMatchObject({ duplicate: 2 })
})

it('a wipe erases what goes with an account and is newer in steps of its own', async () => {
  const me = await registeredUser()
  const [full, other] = [await newAccount(me, { openingBalance: '100.00' }), await newAccount(me)]
  await rows('UPDATE accounts SET created_at = 1000 WHERE owner_id = ?', me.id)
  const third = await newAccount(me)
  const { id: newer } = await uploaded(me, csv(['2026-03-10,TESCO,-12.30']), {
    accountId: third.id,
  })
  for (const { id } of [full, other]) {
    await rows(
      `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < iif(?1 = ?2, 1200, 10))
        INSERT INTO import_identities (account_id, identity, date, amount_minor, pending, skipped, import_id)
        SELECT ?1, 'n ' || at, '2026-01-01', 1, 0, 0, ?3 FROM n`,
      id,
      full.id,
      newer,
    )
  }
  const scope = { ownerId: me.id, before: 2000 }
  const guard = refuseIf(sql`false`, changedMeanwhile)
  const kinds = ownedData()
    .flatMap(({ erase = [] }) => erase)
    .filter(({ wipedWith = [] }) => wipedWith.includes('accounts'))
  const { isDone, left } = await eraseInSteps(contextWith(), { scope, kinds, guard })
  expect([isDone, left]).toEqual([true, []])
  expect(await rows('SELECT id FROM accounts WHERE owner_id = ?', me.id)).toEqual([
    { id: third.id },
  ])
  const steps = await rows<{ content: string }>(
    "SELECT content FROM log_entries WHERE type = 'user.dataErased' AND owner_id = ?",
    me.id,
  )
  const counts = steps.map(({ content }) => JSON.parse(content) as object)
  expect(counts).toContainEqual({ accountRows: 1 })
  expect(counts).toContainEqual({ accounts: 2 })
})
