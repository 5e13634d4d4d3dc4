import { sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { eraseInSteps } from '../../../src/areas/data-rights/own-user/own-user.public.ts'
import { ledgerData } from '../../../src/ledger/ledger.data.ts'
import { refuseIf } from '../../../src/platform/database/premises.ts'
import { changedMeanwhile } from '../../../src/platform/database/refusals.ts'
import { eraseUserJob } from '../../../src/areas/data-rights/own-user/erasure/erasure.jobs.ts'
import { deleteAccount, getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { acceptShare, createShare } from '../../../src/areas/sharing/sharing/sharing.routes.ts'
import { largeAccounts } from '../../../src/areas/money/accounts/trash.usecases.ts'
import { commit } from '../../../src/platform/database/database.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { dropAccount, erase, work } from './trashing.ts'

// Lines that would take a balance out of the range of amounts while others of its account are still there.

const MAX = '90071992547409.91'

type Row = [
  kind: 'income' | 'expense',
  amount: string,
  status?: 'cleared' | 'uncleared',
  count?: number,
]

const book = (as: TestUser, accountId: string, given: Row[], more: object = {}) =>
  ok(createTransactions, {
    as,
    json: {
      transactions: given.flatMap(([kind, amount, status = 'uncleared', count = 1]) =>
        Array.from({ length: count }, () => ({
          ...{ kind, accountId, amount, status, date: '2026-01-02', ...more },
        })),
      ),
    },
  })

/** Without the first the account would owe more than a balance can be. */
const HELD: Row[] = [
  ['income', '0.01'],
  ['expense', MAX],
  ['expense', '0.01'],
]

/** Rows of which none can go first, by one sum or another. */
const INTERLOCKED: Row[] = [
  ['income', '0.01', 'cleared', 30],
  ['expense', MAX, 'cleared'],
  ['expense', '0.30', 'cleared'],
  ['income', MAX],
  ['income', '0.05'],
]

async function shared(me: TestUser, accountIds: string[]): Promise<TestUser> {
  const other = await newUser()
  for (const resourceId of accountIds) {
    const json = { resourceId, userId: other.id, permission: 'write' as const }
    const { id } = await ok(createShare, { as: me, json })
    await ok(acceptShare, { as: other, id, json: { includeInTotals: true } })
  }
  return other
}

const rowsOn = (accountId: string) =>
  rows(
    `SELECT account_id FROM entries WHERE account_id = ?1 UNION ALL SELECT id FROM accounts WHERE id = ?1
      UNION ALL SELECT account_id FROM account_balances WHERE account_id = ?1
      UNION ALL SELECT account_id FROM account_periods WHERE account_id = ?1
      UNION ALL SELECT account_id FROM flow_periods WHERE account_id = ?1`,
    accountId,
  )

it.each([
  ['rows of the owner', HELD, false],
  ['private rows of a receiver', HELD, true],
  ['rows that hold each other', INTERLOCKED, true],
])('an account goes with all that is booked on it: %s', async (_, given, isReceivers) => {
  const me = await newUser()
  const account = await newAccount(me)
  const by = isReceivers ? await shared(me, [account.id]) : me
  await book(by, account.id, given, isReceivers ? { private: true } : {})
  await dropAccount(me, account)
  await erase(me, 'account', account.id)
  await work(me.id)
  expect(await rowsOn(account.id)).toEqual([])
})

it('a user goes with all that is booked', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  await book(me, one.id, HELD)
  await book(await shared(me, [two.id]), two.id, INTERLOCKED, { private: true })
  await rows('UPDATE users SET deletion_due_at = 1 WHERE id = ?', me.id)
  await eraseUserJob.run(contextWith(), { userId: me.id }, [])
  expect([...(await rowsOn(one.id)), ...(await rowsOn(two.id))]).toEqual([])
})

it('the account at the other end keeps its balance, however its lines come and go', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const move = (fromAccountId: string, toAccountId: string) =>
    ok(createTransfer, {
      as: me,
      json: { fromAccountId, toAccountId, amount: MAX, date: '2026-01-02' },
    })
  await move(one.id, two.id)
  await move(two.id, one.id)
  await move(two.id, one.id)
  await ok(deleteAccount, { as: me, id: one.id })
  await erase(me, 'account', one.id)
  await work(me.id)
  expect(await rowsOn(one.id)).toEqual([])
  expect((await ok(getAccountByID, { as: me, id: two.id })).balance).toBe(`-${MAX}`)
  expect(await differencesOf(me)).toEqual([])
  expect(await rows('SELECT 1 FROM account_balances WHERE is_range_deferred = 1')).toEqual([])
})

it('what is kept of an account goes first, and is not missed', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await book(me, account.id, HELD)
  await dropAccount(me, account)
  await erase(me, 'account', account.id)
  const step = await largeAccounts.nextStep(contextWith(), { ownerId: me.id, before: 0 })
  await commit(contextWith(), { changes: step?.changes() ?? [], result: undefined })
  const kept = await rows('SELECT 1 FROM account_balances WHERE account_id = ?', account.id)
  expect([kept.length, await differencesOf(me)]).toEqual([0, []])
  expect(await rows('SELECT 1 FROM entries WHERE account_id = ?', account.id)).toHaveLength(6)
  await work(me.id)
  expect(await rowsOn(account.id)).toEqual([])
})

it('what areas have of an account goes in steps, where there is much', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  await rows(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
      INSERT INTO valuations (id, owner_id, account_id, date, value_minor, created_at, updated_at)
      SELECT 'val_' || ?1 || i, ?2, ?1, date('1990-01-01', i || ' days'), i, 1, 1 FROM n`,
    account.id,
    me.id,
  )
  await dropAccount(me, account)
  await erase(me, 'account', account.id)
  await work(me.id)
  expect(await rowsOn(account.id)).toEqual([])
  expect(await rows('SELECT 1 FROM valuations WHERE account_id = ?', account.id)).toEqual([])
  const steps = await rows(
    "SELECT number FROM log_entries WHERE type = 'trash.erased' AND owner_id = ?",
    me.id,
  )
  // Of what is kept, four times of the valuations, and the account with the rest of them.
  expect(steps).toHaveLength(6)
})

it('what is kept of the accounts of a user goes before anything that is booked on them', async () => {
  const me = await newUser()
  const accounts = []
  for (let at = 0; at < 27; at++) {
    accounts.push(await newAccount(me))
  }
  for (const account of accounts) {
    await rows(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
        INSERT INTO flow_periods (account_id, grain, period, flow, category_id, counter_account_id)
        SELECT ?1, 'day', date('1990-01-01', i || ' days'), 'expense', '', '' FROM n`,
      account.id,
    )
  }
  const kind = ledgerData.erase?.find(({ name }) => name === 'balances')
  const guard = refuseIf(sql`false`, changedMeanwhile)
  const scope = { ownerId: me.id, before: Number.MAX_SAFE_INTEGER }
  const kinds = kind ? [kind] : []
  expect(await eraseInSteps(contextWith(), { scope, kinds, guard })).toEqual({
    isDone: true,
    left: [],
  })
  for (const account of accounts) {
    expect(await rowsOn(account.id)).toEqual([{ account_id: account.id }])
  }
})
