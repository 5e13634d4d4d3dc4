import { expect, it } from 'vitest'
import { listTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { call, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newUser } from '../../support/world.ts'
import { refusal } from '../transactions/booking.ts'
import {
  DAY,
  dropAccount,
  dropTransaction,
  dropTransfer,
  idsIn,
  newBooks,
  tokenFor,
  trashOf,
} from './trashing.ts'

it('tells what was deleted, the last first, and until when it can be restored', async () => {
  const { me, one, two, yen, spend, move } = await newBooks()
  const expense = await spend({ description: 'Groceries' })
  const moved = await move(yen, { toAmount: '1600', description: 'Savings' })
  const [token, blind] = [await tokenFor(me, [one]), await tokenFor(me, [two])]
  await dropTransaction(me, expense)
  await dropTransfer(me, moved)
  await dropAccount(me, one)
  const { items, count, nextCursor } = await trashOf(me)
  expect([count, nextCursor]).toEqual([3, null])
  const stamps = (item?: { deletedAt: string; purgeAt: string }) => ({
    deletedAt: item?.deletedAt,
    purgeAt: new Date(Date.parse(item?.deletedAt ?? '') + 30 * DAY).toISOString(),
  })
  const shared = {
    ...{ date: null, transactionCount: null, accountId: one.id, currency: 'EUR' },
    version: 2,
  }
  expect(items).toEqual([
    {
      ...shared,
      ...stamps(items[0]),
      kind: 'account',
      id: one.id,
      name: one.name,
      amount: '100.00',
      transactionCount: 1,
    },
    {
      ...shared,
      ...stamps(items[1]),
      kind: 'transfer',
      id: moved.id,
      name: 'Savings',
      date: '2026-03-01',
      amount: '-10.00',
    },
    {
      ...shared,
      ...stamps(items[2]),
      kind: 'transaction',
      id: expense.id,
      name: 'Groceries',
      date: '2026-03-02',
      amount: '-5.00',
    },
  ])
  for (const [kind, id] of [
    ['account', one.id],
    ['transfer', moved.id],
    ['transaction', expense.id],
  ] as const) {
    expect(await trashOf(me, { kind })).toMatchObject({ count: 1, items: [{ kind, id }] })
  }
  expect(await idsIn(await newUser())).toEqual([])
  expect(await idsIn(token)).toEqual([one.id, expense.id])
  expect(await trashOf(token)).toMatchObject({ count: 2 })
  expect(await idsIn(blind)).toEqual([])
})

it('is read page by page, across kinds, also where all went in one moment', async () => {
  const { me, two, yen, spend, move } = await newBooks()
  for (let at = 0; at < 4; at++) {
    await dropTransaction(me, await spend())
    await dropTransfer(me, await move(two))
  }
  await dropAccount(me, two)
  await dropAccount(me, yen)
  await rows('UPDATE transactions SET deleted_at = 5 WHERE owner_id = ? AND deleted_at > 0', me.id)
  await rows('UPDATE accounts SET deleted_at = 5 WHERE owner_id = ? AND deleted_at > 0', me.id)
  const all = await idsIn(me)
  expect(all).toHaveLength(10)
  const paged: string[] = []
  let cursor: string | null = null
  do {
    const query = { limit: 3, ...(cursor === null ? {} : { cursor }) }
    const page: Awaited<ReturnType<typeof trashOf>> = await trashOf(me, query)
    expect(page.count).toBe(10)
    paged.push(...page.items.map(({ id }) => id))
    cursor = page.nextCursor
  } while (cursor !== null)
  expect(paged).toEqual(all)
})

it('reads a page in one trip, and no more rows for more history', async () => {
  const { me, one, spend } = await newBooks()
  for (let at = 0; at < 3; at++) {
    await dropTransaction(me, await spend())
  }
  const cost = async () => costOf((await call(listTrash, { as: me, query: { limit: 2 } })).headers)
  const before = await cost()
  expect(before.trips).toBe(1)
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
     INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
     SELECT 'txn_' || ?1 || i, ?2, 'expense', '2026-04-01', 'user', ?2, 0, 0 FROM n`,
    one.id,
    me.id,
  )
  expect(await cost()).toEqual(before)
  await rows(`DELETE FROM transactions WHERE owner_id = ? AND date = '2026-04-01'`, me.id)
})

it('takes no kind that it does not know', async () => {
  const me = await newUser()
  const answer = await call(listTrash, { as: me, query: { kind: 'user' } })
  expect(refusal(answer).slice(0, 1)).toEqual([400])
})
