import { afterAll, expect, it } from 'vitest'
import { listChanges } from '../../src/areas/events/changes/changes.routes.ts'
import {
  createTransactions,
  updateTransactions,
} from '../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { lastChange, undo } from '../areas/changes/undoing.ts'
import { ok, rows } from '../support/api.ts'
import { samplesOf } from '../support/samples.ts'
import { newAccount } from '../support/world.ts'
import { attend, inWords, longestOfEach, showLongest, slowness, startWatch } from './stopwatch.ts'
import { fill } from './volume.ts'

let stopWatch = () => {}
afterAll(() => stopWatch())

it('lets no statement of an undo of 500 hold the database for long', async () => {
  const { me } = await samplesOf()
  await fill(me.id)
  const account = await newAccount(me)
  const categories = await rows<{ id: string }>(
    "SELECT id FROM categories WHERE owner_id = ? AND kind = 'expense' AND archived = 0 LIMIT 2",
    me.id,
  )
  const [first, second] = categories.map(({ id }) => id)
  const item = { kind: 'expense' as const, accountId: account.id, date: '2026-03-01' }
  const items = Array.from({ length: 500 }, (_, at) => ({
    ...{ ...item, amount: '3.00', externalId: `undone ${at}` },
    splits: [
      { amount: '1.00', categoryId: first },
      { amount: '2.00', categoryId: second },
    ],
  }))
  await ok(createTransactions, { as: me, json: { transactions: items } } as never)
  const made = await rows<{ id: string }>(
    "SELECT transaction_id AS id FROM entries WHERE account_id = ? AND side = 'account'",
    account.id,
  )
  const ids = made.map(({ id }) => id)
  expect(ids).toHaveLength(500)
  const booked = await lastChange(me)
  await ok(updateTransactions, {
    as: me,
    json: { ids, changes: { description: 'Other', date: '2026-03-02' } },
  } as never)
  const changed = await lastChange(me)
  stopWatch = startWatch()
  const before = slowness()

  attend('a dry run')
  expect(await undo(me, changed.id, { dryRun: true })).toMatchObject({ status: 200 })
  attend('the undo of a change')
  expect(await undo(me, changed.id)).toMatchObject({ status: 200 })
  attend('the list')
  expect((await ok(listChanges, { as: me })).changes.length).toBeGreaterThan(2)
  attend('the undo of the undo')
  expect(await undo(me, (await lastChange(me)).id)).toMatchObject({ status: 200 })
  attend('the undo of a creation')
  expect(await undo(me, booked.id, { force: true })).toMatchObject({ status: 200 })

  const slower = Math.max(before, slowness())
  showLongest()
  const tooLong = longestOfEach().filter(({ ms, most }) => ms > most * slower)
  expect(tooLong.map(inWords)).toEqual([])
}, 600_000)
