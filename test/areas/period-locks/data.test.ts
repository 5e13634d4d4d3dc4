import { expect, it } from 'vitest'
import { deleteAccount, getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import { listPeriodLocks } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { contentsOf, make, rowsIn } from '../backups/archives.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { erase, work } from '../trash/trashing.ts'
import { lock } from './locking.ts'

it('an account is erased however hard it is locked, and what is left on others stays', async () => {
  const me = await newUser()
  const [one, two] = [await newAccount(me), await newAccount(me)]
  const json = {
    ...{ fromAccountId: one.id, toAccountId: two.id },
    ...{ date: '2025-03-03', amount: '5' },
  }
  await ok(createTransfer, { as: me, json })
  const own = await lock(me, { accountId: one.id, kind: 'hard' })
  const all = await lock(me, { kind: 'hard' })
  await ok(deleteAccount, { as: me, id: one.id })
  await erase(me, 'account', one.id)
  await work(me.id)
  const { periodLocks } = await ok(listPeriodLocks, { as: me })
  expect(periodLocks.map(({ id }) => id)).toEqual([all.id])
  expect(own.id).not.toBe(all.id)
  const { balance, lockedThrough } = await ok(getAccountByID, { as: me, id: two.id })
  expect([balance, lockedThrough]).toEqual(['5.00', '2025-12-31'])
  expect(await differencesOf(me)).toEqual([])
})

it('a backup has the locks of its owner', async () => {
  const me = await newUser()
  await newAccount(me)
  const { id } = await lock(me)
  const { id: backupId } = await make(me)
  const files = await contentsOf(me, backupId)
  expect(rowsIn(files, 'periodLocks').map((row) => row.id)).toEqual([id])
})
