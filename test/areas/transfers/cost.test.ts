import { expect, it } from 'vitest'
import { listDuplicates } from '../../../src/areas/money/transactions/duplicates/duplicates.routes.ts'
import { suggestTransfers } from '../../../src/areas/money/transfers/transfers.routes.ts'
import { call, rows } from '../../support/api.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'

const WINDOW = { from: '2026-11-01', to: '2026-12-31' }

it('suggesting transfers costs what is in its window, as duplicates do, whatever is older', async () => {
  const me = await newUser()
  const one = await newAccount(me, { name: 'Everyday' })
  const two = await newAccount(me, { name: 'Rainy day' })
  await Promise.all([
    book(me, one, { amount: '50' }),
    book(me, two, { kind: 'income', amount: '50' }),
    book(me, one, { amount: '7' }),
    book(me, one, { amount: '7' }),
  ])
  const measure = () =>
    Promise.all(
      [suggestTransfers, listDuplicates].map(async (route) =>
        costOf((await call(route, { as: me, query: WINDOW })).headers),
      ),
    )
  const before = await measure()
  const many = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)'
  await rows(
    `INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
      ${many} SELECT 'txn_' || ?1 || i, ?1, 'expense', '2025-03-01', 'user', ?1, 0, 0 FROM n`,
    me.id,
  )
  await rows(
    `INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status)
      ${many} SELECT 'txn_' || ?1 || i, line, ?1, ?2, iif(line = 1, 'account', 'expense'), '2025-03-01',
        iif(line = 1, -700, 700), 'EUR', 'cleared' FROM n, (SELECT 1 AS line UNION ALL SELECT 2)`,
    me.id,
    one.id,
  )
  // Where the window ends in each index, one row more may be looked at.
  for (const [at, { trips, rowsRead }] of (await measure()).entries()) {
    expect([trips, rowsRead - (before[at]?.rowsRead ?? 0) <= 4]).toEqual([1, true])
  }
})
