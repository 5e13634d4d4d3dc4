import { expect, it } from 'vitest'
import { verifyBackup } from '../../../src/areas/data-rights/backups/backups.routes.ts'
import { ok, type Principal, rows } from '../../support/api.ts'
import { newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { balanceOf } from '../transactions/booking.ts'
import {
  bringBack,
  dropAccount,
  dropTransaction,
  erase,
  idsIn,
  newBooks,
  work,
} from '../trash/trashing.ts'
import { backedUp, emptied, restored } from './restoring.ts'

// An account that is being erased is gone for its owner, but what moved between it and others is still booked.

const goingOf = ({ id }: { id: string }) =>
  rows<{ id: string }>('SELECT id FROM accounts WHERE owner_id = ? AND erased_at IS NOT NULL', id)

/** Asks for the erasure of an account, which does not begin yet. */
async function letGo(me: Principal & { id: string }, account: { id: string }) {
  await dropAccount(me, account)
  expect((await erase(me, 'account', account.id)).status).toBe(202)
  await rows(
    "UPDATE tasks SET state = 'cancelled' WHERE kind = 'trash.erase' AND state = 'queued' AND created_by = ?",
    me.id,
  )
  expect(await goingOf(me)).toEqual([{ id: account.id }])
}

/** Two accounts with a transfer between them, of which one is being erased. */
async function newBooksWithOneGoing() {
  const { me, one, two, spend, move } = await newBooks()
  await spend({ accountId: two.id })
  await move(two)
  await letGo(me, two)
  return { me, one, two }
}

const verify = (as: Principal, backupId: string) =>
  ok(verifyBackup, { as, query: { backupId }, headers: {} })

it('a backup is intact while an account is erased, and restores to what it was', async () => {
  const { me, one, two } = await newBooksWithOneGoing()
  const { id, archive, hash } = await backedUp(me)
  expect(await verify(me, id)).toMatchObject({ intact: true, faults: [] })
  await emptied(me)
  expect(await restored(me, archive)).toMatchObject({ state: 'done', contentHash: hash })
  expect([await idsIn(me), (await bringBack(me, 'account', two.id)).status]).toEqual([[], 404])
  expect(await balanceOf(me, one)).toBe('90.00')
  expect(await differencesOf(me)).toEqual([])
  // The erasure goes on.
  await work(me.id)
  expect([await goingOf(me), await balanceOf(me, one)]).toEqual([[], '90.00'])
})

it.each(['empty', 'merge'] as const)('somebody else restores it with the mode %s', async (mode) => {
  const { me } = await newBooksWithOneGoing()
  const { archive } = await backedUp(me)
  const other = await newUser()
  const query = mode === 'merge' ? { mode } : {}
  expect(await restored(other, archive, query)).toMatchObject({ state: 'done', error: null })
  expect([await idsIn(other), await differencesOf(other)]).toEqual([[], []])
  expect(await goingOf(other)).toHaveLength(1)
  await work(other.id)
  expect([await goingOf(other), await differencesOf(other)]).toEqual([[], []])
})

it('a merge refuses to book on an account that is being erased', async () => {
  const { me, two, spend } = await newBooks()
  const spent = await spend({ accountId: two.id })
  const { archive } = await backedUp(me)
  await dropTransaction(me, spent)
  const inTrash = await backedUp(me)
  await erase(me, 'transaction', spent.id)
  await letGo(me, two)
  expect(await restored(me, archive, { mode: 'merge' })).toMatchObject({
    state: 'failed',
    error: { code: 'backups.accountInTrash' },
  })
  // What is in the trash comes, and goes with the account.
  expect(await restored(me, inTrash.archive, { mode: 'merge' })).toMatchObject({ state: 'done' })
  await work(me.id)
  expect([await goingOf(me), await idsIn(me), await differencesOf(me)]).toEqual([[], [], []])
})
