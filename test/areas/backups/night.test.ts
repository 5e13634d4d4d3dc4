import { describe, expect, it } from 'vitest'
import { startScheduledJob } from '../../../src/areas/data-rights/exports/schedules/schedules.jobs.ts'
import { setExportSchedule } from '../../../src/areas/data-rights/exports/schedules/schedules.routes.ts'
import { checkAssertionsJob } from '../../../src/areas/money/balance-assertions/balance-assertions.jobs.ts'
import { purgeTrashJob } from '../../../src/areas/money/trash/trash.jobs.ts'
import { deleteBudget } from '../../../src/areas/planning/budgets/budgets.routes.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newUser, type TestUser } from '../../support/world.ts'
import { newOwner } from '../own-user/owners.fixtures.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { dropAccount, erase, newBooks } from '../trash/trashing.ts'
import { backedUp, emptied, finishRestore, heldBack, restored, sendRestore } from './restoring.ts'

const DAY = 24 * 60 * 60 * 1000

/** What the night has to do for somebody. */
const countsOf = async ({ id }: TestUser) => {
  const [counts] = await rows<Record<string, number>>(
    `SELECT (SELECT count(*) FROM transactions WHERE owner_id = ?1 AND deleted_at IS NOT NULL) AS transactions,
      (SELECT count(*) FROM trashed_rows WHERE owner_id = ?1) AS labels,
      (SELECT count(*) FROM budgets WHERE owner_id = ?1 AND deleted_at IS NOT NULL) AS budgets,
      (SELECT count(*) FROM accounts WHERE owner_id = ?1 AND deleted_at IS NOT NULL) AS accounts,
      (SELECT count(*) FROM export_schedules WHERE owner_id = ?1 AND next_on < '2030') AS schedules,
      (SELECT count(*) FROM balance_assertions WHERE owner_id = ?1 AND was_ok = 1) AS assertions`,
    id,
  )
  return counts ?? {}
}

/** The jobs of a night when all in the trash is due, all schedules are, and assertions have turned. */
async function night() {
  await purgeTrashJob.run(contextWith({ now: Date.now() + 31 * DAY }), {}, [])
  await startScheduledJob.run(contextWith({ now: Date.parse('2030-01-01') }), {}, [])
  await checkAssertionsJob.run(contextWith(), {}, [])
}

it('leaves alone what is being restored, and sees to it in the next one', async () => {
  const me = await newOwner()
  const json = { every: 'week', day: 1, keep: 1 } as const
  await call(setExportSchedule, { as: me, path: { format: 'csv' }, json })
  const [budget] = await rows<{ id: string }>(
    'SELECT id FROM budgets WHERE owner_id = ? AND deleted_at IS NULL',
    me.id,
  )
  await ok(deleteBudget, { as: me, id: budget?.id ?? '' })
  await rows('UPDATE balance_assertions SET was_ok = 1, amount_minor = 1 WHERE owner_id = ?', me.id)
  const { archive } = await backedUp(me)
  const other = await newUser()
  const { body } = await sendRestore(other, archive)
  await heldBack(body.job.id)
  await finishRestore(other, body.id, 2)
  const before = await countsOf(other)
  expect(before).toEqual(await countsOf(me))
  expect(Object.entries(before).filter(([, count]) => count === 0)).toEqual([])
  await night()
  expect(await countsOf(other)).toEqual(before)
  // The other user's things went.
  const gone = { transactions: 0, labels: 0, budgets: 0, accounts: 0, schedules: 0, assertions: 0 }
  expect(await countsOf(me)).toEqual(gone)
  expect(await finishRestore(other, body.id)).toMatchObject({ state: 'done', error: null })
  await night()
  expect(await countsOf(other)).toEqual(gone)
})

describe('an account whose erasure was under way', () => {
  /** An archive of books with such an account, to which money had been moved, and the other account. */
  async function archived() {
    const { me, one, two, spend, move } = await newBooks()
    await spend({ accountId: two.id })
    await move(two)
    await dropAccount(me, two)
    await erase(me, 'account', two.id)
    return { one, ...(await backedUp(me)) }
  }

  it.each([1, 2, 3])(
    'is erased after the restore, when a night comes after %d of its tasks',
    async (tasks) => {
      const { archive } = await archived()
      const other = await newUser()
      const { body } = await sendRestore(other, archive)
      await heldBack(body.job.id)
      await finishRestore(other, body.id, tasks)
      await night()
      expect(await finishRestore(other, body.id)).toMatchObject({ state: 'done', error: null })
      await night()
      expect(await differencesOf(other)).toEqual([])
      expect(await countsOf(other)).toMatchObject({ accounts: 0 })
    },
  )

  it.each([1, 2, 3])(
    'leaves nothing on accounts that are merged with it, when a night comes after %d tasks',
    async (tasks) => {
      const { one, archive } = await archived()
      const { me: other, one: mine } = await newBooks()
      const accountMap = `${one.id}:${mine.id}`
      const { body } = await sendRestore(other, archive, { mode: 'merge', accountMap })
      await heldBack(body.job.id)
      await finishRestore(other, body.id, tasks)
      await night()
      const { state, error } = await finishRestore(other, body.id)
      expect([state, error]).toEqual(['done', null])
      expect(await differencesOf(other)).toEqual([])
    },
  )
})

it('makes the export of a schedule that came back on a day on which it was made', async () => {
  const { me } = await newBooks()
  const json = { every: 'week', day: 1, keep: 5 } as const
  await call(setExportSchedule, { as: me, path: { format: 'csv' }, json })
  const { archive } = await backedUp(me)
  await night()
  await emptied(me)
  expect(await restored(me, archive)).toMatchObject({ state: 'done' })
  await night()
  const exports = await rows<{ task: string | null }>(
    `SELECT (SELECT t.kind FROM tasks t WHERE t.id = a.task_id) AS task FROM archives a
      WHERE a.owner_id = ? AND a.kind = 'export'`,
    me.id,
  )
  expect(exports.length).toBeGreaterThan(0)
  expect(exports.map(({ task }) => task)).not.toContain(null)
})
