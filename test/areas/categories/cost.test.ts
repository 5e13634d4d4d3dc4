import { expect, it } from 'vitest'
import { categoriesByIds } from '../../../src/areas/money/categories/categories.public.ts'
import { listCategories } from '../../../src/areas/money/categories/categories.routes.ts'
import { read } from '../../../src/platform/database/database.ts'
import { call, ok, rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { costOf } from '../../support/samples.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { book } from '../transactions/booking.ts'
import { newCategory } from './trees.ts'

it('reads no more rows the more categories there are', async () => {
  const me = await newUser()
  const { id } = await newCategory(me)
  await newCategory(me)
  const costOfOne = async () => {
    const ctx = await contextOf(me, 'categories.read')
    await read(ctx, categoriesByIds(ctx, [id]))
    return ctx.cost.rowsRead
  }
  const before = await costOfOne()
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     INSERT INTO categories (id, owner_id, name, name_key, kind, depth, created_at, updated_at)
     SELECT 'cat_' || i || ?1, ?1, i, i, 'expense', 1, 0, 0 FROM n`,
    me.id,
  )
  expect((await ok(listCategories, { as: me })).count).toBe(1002)
  expect(await costOfOne()).toBe(before)
})

it('reads as many rows for the sums of a month with a thousand transactions as with ten', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const { id } = await newCategory(me)
  await book(me, account, { categoryId: id })
  const query = { view: 'tree' as const, fromMonth: '2026-11', toMonth: '2026-11' }
  const cost = async () => costOf((await call(listCategories, { as: me, query })).headers).rowsRead
  const before = await cost()
  await rows(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
     INSERT INTO transactions (id, owner_id, kind, date, source, created_by, created_at, updated_at)
     SELECT 'txn_' || ?1 || i, ?2, 'expense', '2026-11-02', 'user', ?2, 0, 0 FROM n`,
    account.id,
    me.id,
  )
  for (const [line, end, sign, category] of [
    [1, 'account', -1, null],
    [2, 'expense', 1, id],
  ] as const) {
    await rows(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO entries (transaction_id, line, owner_id, account_id, side, date, amount_minor, currency, status, category_id)
       SELECT 'txn_' || ?1 || i, ?3, ?2, ?1, ?4, '2026-11-02', ?5, 'EUR', 'cleared', ?6 FROM n`,
      account.id,
      me.id,
      line,
      end,
      sign,
      category,
    )
  }
  expect(await cost()).toBe(before)
  const found = await ok(listCategories, { as: me, query })
  expect(found.categories[0]?.sums?.[0]?.amount).toBe('22.30')
})
