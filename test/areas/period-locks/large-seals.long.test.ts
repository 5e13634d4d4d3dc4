import { expect, it } from 'vitest'
import { getPeriodLock } from '../../../src/areas/money/period-locks/period-locks.routes.ts'
import { sealPeriodLock } from '../../../src/areas/money/period-locks/seals/seals.usecases.ts'
import { LINES_PER_TRIP } from '../../../src/areas/money/period-locks/seals/seals.queries.ts'
import { ok, rows } from '../../support/api.ts'
import { contextWith } from '../../support/service.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book, change } from '../transactions/booking.ts'
import { lock } from './locking.ts'

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
