import { expect, it } from 'vitest'
import { deleteAccount, getAccountByID } from '../../../src/areas/money/accounts/accounts.routes.ts'
import {
  getPeriodLock,
  listPeriodLocks,
} from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { sealPeriodLock } from '../../../src/areas/money/period-locks/seals/seals.usecases.ts'
import { LINES_PER_TRIP } from '../../../src/areas/money/period-locks/seals/seals.queries.ts'
import { createTransfer } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { contentsOf, make, rowsIn } from '../backups/archives.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, change } from '../transactions/booking.ts'
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

it('more lines than one trip takes are sealed by a task, however often it is started', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const first = await book(me, account, { date: '2025-01-01', amount: '1' })
  // Headers and lines as they would be, past the service.
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LINES_PER_TRIP + 5})
      INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      SELECT printf('txn_%026d', i), ?1, 'expense', '2025-02-01', 'user', ?1, 0, 0 FROM n`,
    me.id,
  )
  await rows(
    `INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
      SELECT t.id, l.value, ?1, ?2, iif(l.value = 1, 'account', 'expense'), t.date, iif(l.value = 1, -1, 1), 'EUR', 'cleared'
        FROM transactions t CROSS JOIN json_each('[1,2]') l WHERE t.owner_id = ?1 AND t.date = '2025-02-01'`,
    me.id,
    account.id,
  )
  const made = await lock(me, { accountId: account.id })
  expect(made).toMatchObject({ seal: null, intact: null })
  const look = () => ok(getPeriodLock, { as: me, id: made.id, query: { verify: 'true' } })
  expect(await look()).toMatchObject({ seal: null, intact: null })
  await sealPeriodLock(contextWith(), { lockId: made.id }, [])
  const sealed = await look()
  expect(sealed.intact).toBe(true)
  await sealPeriodLock(contextWith(), { lockId: made.id }, [])
  expect((await look()).seal).toBe(sealed.seal)
  expect((await change(me, first, { amount: '2', force: true })).status).toBe(200)
  expect((await look()).broken.map(({ accountId }) => accountId)).toEqual([account.id])
})
