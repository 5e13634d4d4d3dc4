import { expect, it } from 'vitest'
import {
  getPeriodLock,
  listPeriodLocks,
} from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { listTransactions } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { ok, type Principal } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { change, refusal } from '../transactions/booking.ts'
import { newClosedBooks, seenBy } from './closed-books.fixtures.ts'
import { backedUp, emptied, restored } from './restoring.ts'

it('books that were reconciled and sealed are the same where they are restored', async () => {
  const { me } = await newClosedBooks()
  const { archive, hash } = await backedUp(me)
  const before = await seenBy(me)
  expect(before).toContain('"intact": true')
  expect(before).not.toContain('"intact": false')
  const [beside, merged] = [await newUser(), await newUser()]
  expect(await restored(beside, archive)).toMatchObject({ state: 'done', error: null })
  expect(await seenBy(beside)).toBe(before)
  expect(await restored(merged, archive, { mode: 'merge' })).toMatchObject({ error: null })
  expect(await seenBy(merged)).toBe(before)
  await emptied(me)
  expect(await restored(me, archive)).toMatchObject({ contentHash: hash, error: null })
  expect(await seenBy(me)).toBe(before)
})

/** Whether each lock is intact, the latest first. */
async function intactFor(as: Principal) {
  const { periodLocks } = await ok(listPeriodLocks, { as })
  const query = { verify: 'true' }
  return Promise.all(
    periodLocks.map(async ({ id }) => (await ok(getPeriodLock, { as, id, query })).intact),
  )
}

/** The row of a day. */
const rowOf = async (as: Principal, day: string) => {
  const { transactions } = await ok(listTransactions, { as, query: { from: day, to: day } })
  return transactions[0] ?? { id: '' }
}

it('a lock that is restored keeps out what it kept out, and its seal tells what was forced before', async () => {
  const { me, may } = await newClosedBooks()
  expect((await change(me, may, { amount: '12', force: true })).status).toBe(200)
  expect(await intactFor(me)).toEqual([false, true])
  const [second, third] = [await newUser(), await newUser()]
  await restored(second, (await backedUp(me)).archive)
  expect(await intactFor(second)).toEqual([false, true])
  const there = await rowOf(second, '2025-05-05')
  expect(refusal(await change(second, there, { amount: '11' }))).toEqual([
    ...[409, 'locks.periodLocked', 'date'],
  ])
  expect((await change(second, there, { amount: '11', force: true })).status).toBe(200)
  expect(await intactFor(second)).toEqual([true, true])
  const early = await rowOf(second, '2025-02-01')
  expect(refusal(await change(second, early, { amount: '1', force: true }))).toEqual([
    ...[409, 'locks.periodLocked', 'date'],
  ])
  await restored(third, (await backedUp(second)).archive)
  expect(await intactFor(third)).toEqual([true, true])
})
