import { expect, it } from 'vitest'
import { listDuplicates } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { suggestTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { duplicatePairs, transferPairs } from '../../../src/ledger/ledger.public.ts'
import { ok, rows } from '../../support/api.ts'
import { planOf } from '../../support/plans.ts'
import { contextOf } from '../../support/context.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'

const WINDOW = { from: '2026-11-01', to: '2026-12-31' }

async function newOwner() {
  const me = await newUser()
  return { me, one: await newAccount(me), two: await newAccount(me) }
}

/** Books expenses of one day past the service. @param amount by their number `i` */
async function bookMany(me: TestUser, { id }: { id: string }, count: number, amount: string) {
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  await rows(
    `${numbers} INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      SELECT 'txn_' || ?1 || i, ?1, 'expense', '2026-12-20', 'user', ?1, 0, 0 FROM n`,
    me.id,
  )
  await rows(
    `${numbers} INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
      SELECT 'txn_' || ?1 || i, line, ?1, ?2, iif(line = 1, 'account', 'expense'), '2026-12-20',
        iif(line = 1, -1, 1) * (${amount}), 'EUR', 'cleared' FROM n, (SELECT 1 AS line UNION ALL SELECT 2)`,
    me.id,
    id,
  )
}

const search = async (me: TestUser, query: object = {}) => {
  const { suggestions, ...transfers } = await ok(suggestTransfers, {
    as: me,
    query: { ...WINDOW, ...query },
  })
  const { duplicates, ...others } = await ok(listDuplicates, {
    as: me,
    query: { ...WINDOW, ...query },
  })
  expect([suggestions.length, duplicates.length]).toEqual([transfers.count, others.count])
  return { transfers, duplicates: others }
}

it('says that it has looked at the newest rows alone, and finds older ones in a shorter period', async () => {
  const { me, one, two } = await newOwner()
  await book(me, one, { amount: '50' })
  await book(me, two, { kind: 'income', amount: '50' })
  await book(me, one, { amount: '50' })
  await bookMany(me, one, 15_001, '10000 + i')
  const none = { count: 0, truncated: true }
  expect(await search(me)).toEqual({ transfers: none, duplicates: none })
  const found = { count: 1, truncated: false }
  expect(await search(me, { to: '2026-12-19' })).toEqual({ transfers: found, duplicates: found })
})

it('says that rows with one amount on one day were too many, and shows some of them', async () => {
  const { me, one, two } = await newOwner()
  await bookMany(me, one, 200, '5000')
  const { transfers, duplicates } = await search(me, { limit: 100 })
  expect(transfers).toEqual({ count: 0, truncated: false })
  // 200 rows are 19,900 pairs, of which the best are 200.
  expect(duplicates).toEqual({ count: 100, truncated: true })
  await book(me, two, { kind: 'income', amount: '50', date: '2026-12-20' })
  expect((await search(me)).transfers).toEqual({ count: 1, truncated: false })
  // Its 200 pairs are the better ones of 400.
  await book(me, two, { kind: 'income', amount: '50', date: '2026-12-21' })
  expect((await search(me)).transfers).toEqual({ count: 1, truncated: true })
})

it('is not truncated where there is little', async () => {
  const { me, one } = await newOwner()
  const few = { count: 0, truncated: false }
  expect(await search(me)).toEqual({ transfers: few, duplicates: few })
  await book(me, one, { amount: '50' })
  expect(await search(me)).toEqual({ transfers: few, duplicates: few })
})

it('reads the newest rows in the order of an index, and finds those that are alike by their days', async () => {
  const ctx = await contextOf(await newUser(), 'transfers.read')
  const filter = { from: '2026-11-01', to: '2026-12-31', days: 5 }
  const ofTransfers =
    'SEARCH two USING AUTOMATIC COVERING INDEX (amount=? AND currency=? AND slot=?)'
  const ofDuplicates =
    'SEARCH one USING AUTOMATIC COVERING INDEX (accountId=? AND amount=? AND slot=?)'
  for (const [statement, index, alike] of [
    [transferPairs(ctx, filter), 'entries_of_owner', ofTransfers],
    [duplicatePairs(ctx, filter), 'entries_of_owner', ofDuplicates],
    [duplicatePairs(ctx, { ...filter, accountId: 'acc_1' }), 'entries_register', ofDuplicates],
  ] as const) {
    const { sql, params } = (
      statement as unknown as { getQuery: () => { sql: string; params: unknown[] } }
    ).getQuery()
    const plan = await planOf(sql, params)
    // Nothing is sorted: what is older than the newest is not read.
    const [newest, next] = plan.slice(plan.indexOf('MATERIALIZE lines') + 1)
    expect(newest).toContain(`SEARCH e USING COVERING INDEX ${index}`)
    expect(next).not.toContain('TEMP B-TREE')
    expect(plan).toContain(alike)
    expect(plan).not.toContain(`SCAN ${alike.split(' ')[1]}`)
  }
})
