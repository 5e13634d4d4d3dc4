import { afterEach, expect, it, vi } from 'vitest'
import { linkJob } from '../../../src/areas/planning/recurring/recurring.jobs.ts'
import { listRecurring } from '../../../src/areas/planning/recurring/recurring.routes.ts'
import { getUserAccounts } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { createPayee, listPayees } from '../../../src/areas/money/payees/payees.routes.ts'
import { deleteTransaction } from '../../../src/areas/money/transactions/transactions.routes.ts'
import { restoreFromTrash } from '../../../src/areas/money/trash/trash.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser, type TestUser } from '../../support/world.ts'
import { backedUp, restored } from '../backups/restoring.ts'
import { linked, linksOf, paid, waitingItem } from './linking.fixtures.ts'
import { goneAt, settle, statesOf, today } from './recurring.fixtures.ts'

afterEach(() => void vi.useRealTimers())

/** Links what waits, but the task is killed at each of its first calls before, each time before and after the call is done. */
async function linkedAfterKills(me: TestUser): Promise<number> {
  const payload = { ownerId: me.id, from: '', to: '2200-12-31' }
  let killed = 0
  for (const [call, isDone] of [1, 2, 3, 4, 5].flatMap((at) => [
    [at, false] as const,
    [at, true] as const,
  ])) {
    const database = goneAt(call, isDone)
    const ctx = contextWith({ now: Date.now(), database })
    await linkJob.run(ctx, payload, []).catch(() => (killed += 1))
  }
  await linked(me)
  return killed
}

const settledOf = async ({ id }: { id: string }) =>
  (
    await rows<{ date: string }>(
      `SELECT content ->> 'nominalDate' AS date FROM log_entries WHERE type = 'recurring.settled' AND resource_id = ?
        ORDER BY date`,
      id,
    )
  ).map(({ date }) => date)

it('an archive brings links back, and later rows are linked once, however often the task is killed', async () => {
  today('2026-03-20')
  const before = await newUser()
  const place = await newAccount(before, { openingDate: '2024-01-01' })
  const { id: payeeId } = await ok(createPayee, { as: before, json: { name: 'Fit and Co' } })
  const item = await waitingItem(before, place, { from: '2026-01-01', transaction: { payeeId } })
  for (const date of ['2026-01-28', '2026-02-27']) {
    await paid(before, place, date, '50.00', { payeeId })
  }
  await linked(before)
  expect(Object.keys(await linksOf(before, item))).toEqual(['2026-01-28', '2026-02-28'])
  const { archive } = await backedUp(before)

  const me = await newUser()
  await restored(me, archive)
  const [mine] = (await ok(listRecurring, { as: me })).recurring
  const [account] = (await ok(getUserAccounts, { as: me })).accounts
  const [payee] = (await ok(listPayees, { as: me })).payees
  if (!mine || !account || !payee) {
    throw new Error('an archive brings back what it has')
  }
  expect(Object.keys(await linksOf(me, mine))).toEqual(['2026-01-28', '2026-02-28'])
  // It goes on with today, and listens from now on.
  await settle(me)
  const row = await paid(me, account, '2026-03-27', '50.00', { payeeId: payee.id })
  expect(await linkedAfterKills(me)).toBeGreaterThan(3)
  const links = await linksOf(me, mine)
  expect(links).toMatchObject({ '2026-03-28': [row.id] })
  expect(Object.values(links).map(({ length }) => length)).toEqual([1, 1, 1])
  expect(await settledOf(mine)).toEqual(['2026-03-28'])

  await ok(deleteTransaction, { as: me, id: row.id })
  const next = await paid(me, account, '2026-04-28', '50.00', { payeeId: payee.id })
  await ok(restoreFromTrash, { as: me, path: { kind: 'transaction', id: row.id } })
  await linkedAfterKills(me)
  expect(await linksOf(me, mine)).toEqual({ ...links, '2026-04-28': [next.id] })
  expect(await settledOf(mine)).toEqual(['2026-03-28', '2026-04-28'])
  expect(await statesOf(me, mine, { from: '2026-01-01', to: '2026-04-30' })).toEqual(
    ['2026-01-28', '2026-02-28', '2026-03-28', '2026-04-28'].map((date) => `${date} paid`),
  )
})
