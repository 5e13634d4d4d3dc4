import { expect, it } from 'vitest'
import { runRules } from '../../../src/areas/money/rules/rules.routes.ts'
import { createTransactions } from '../../../src/areas/money/transactions/bulk/bulk.routes.ts'
import { sizeOf } from '../../../src/domain/metadata.ts'
import { ok, rows } from '../../support/api.ts'
import { newAccount, newUser } from '../../support/world.ts'
import { differencesOf } from '../ledger/ledger.ts'
import { book, expenseOn, newCategory } from '../transactions/booking.ts'
import { newRule } from './ruling.ts'

it('a run over three pages changes each transaction once, though rule and filter ask for what it changes', async () => {
  const me = await newUser()
  const [account, food, home] = [await newAccount(me), await newCategory(me), await newCategory(me)]
  // On each of 300 days one is large, which the rule leaves, one has a category already, and two change.
  for (let at = 0; at < 1200; at += 400) {
    const transactions = Array.from({ length: 400 }, (_, nth) => {
      const day = Math.floor((at + nth) / 4)
      const month = String(1 + Math.floor(day / 28)).padStart(2, '0')
      const date = `2025-${month}-${String(1 + (day % 28)).padStart(2, '0')}`
      const kinds = [{ amount: '500.00' }, { categoryId: home.id }, {}, {}]
      return expenseOn(account, { date, ...kinds[nth % 4] })
    })
    await ok(createTransactions, { as: me, json: { transactions, applyRules: false } })
    const more = Array.from({ length: 200 }, () => expenseOn(account, { date: '2025-06-15' }))
    await ok(createTransactions, { as: me, json: { transactions: more, applyRules: false } })
  }
  const isEmpty = { field: 'categoryId', op: 'isEmpty' }
  const rule = await newRule(me, {
    condition: { all: [isEmpty, { field: 'amount', op: 'below', value: '500' }] },
    changes: { categoryId: food.id, note: '{note}x' },
  })
  const filter = { condition: isEmpty }
  const json = { filter, ruleIds: [rule.id] }
  const dry = await ok(runRules, { as: me, json: { ...json, dryRun: true } })
  expect(dry).toMatchObject({ changed: 500, nextCursor: expect.any(String) })
  const pages = [await ok(runRules, { as: me, json })]
  expect(pages[0]?.results).toEqual(dry.results)
  // What is booked meanwhile is seen only where it is older than the last one that was looked at.
  const [newer, older] = [
    await book(me, account, { date: '2026-01-01', applyRules: false }),
    await book(me, account, { date: '2024-01-01', applyRules: false }),
  ]
  for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await ok(runRules, { as: me, json: { ...json, cursor } }))
  }
  expect(pages.map(({ changed }) => changed)).toEqual([500, 500, 201])
  expect(pages.map(({ looked }) => looked).reduce((sum, one) => sum + one)).toBe(1501)
  const ids = pages.flatMap(({ results }) => results.map(({ id }) => id))
  expect(new Set(ids).size).toBe(1201)
  expect([ids.includes(newer.id), ids.includes(older.id)]).toEqual([false, true])
  const found = await rows(
    'SELECT version, note, count(*) AS count FROM transactions WHERE owner_id = ? GROUP BY 1, 2 ORDER BY 1',
    me.id,
  )
  expect(found).toEqual([
    { version: 1, note: null, count: 601 },
    { version: 2, note: 'x', count: 1201 },
  ])
  expect(await differencesOf(me)).toEqual([])
})

it('a run also sees what stands behind a mebibyte of long texts', async () => {
  const me = await newUser()
  const account = await newAccount(me)
  const oldest = await book(me, account, { date: '2020-01-01' })
  for (let at = 0; at < 800; at += 400) {
    const transactions = Array.from({ length: 400 }, () =>
      expenseOn(account, { note: 'x'.repeat(2000) }),
    )
    await ok(createTransactions, { as: me, json: { transactions } })
  }
  await newRule(me, { condition: { field: 'note', op: 'isEmpty' } })
  const json = { filter: { from: '2020-01-01' } }
  const pages = [await ok(runRules, { as: me, json })]
  for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
    pages.push(await ok(runRules, { as: me, json: { ...json, cursor } }))
  }
  expect(pages.map(({ looked }) => looked).reduce((sum, one) => sum + one)).toBe(801)
  expect(pages.at(-1)?.results).toMatchObject([{ id: oldest.id, status: 'changed' }])
})

it.each(['ids', 'filter'] as const)(
  'a run by %s answers no more than can be kept for its Idempotency-Key',
  async (by) => {
    const me = await newUser()
    const account = await newAccount(me)
    const ids: string[] = []
    for (let at = 0; at < 400; at += 200) {
      const transactions = Array.from({ length: 200 }, () =>
        expenseOn(account, { note: '京'.repeat(1000) }),
      )
      const made = await ok(createTransactions, { as: me, json: { transactions } })
      ids.push(...made.results.map(({ transaction }) => transaction?.id ?? ''))
    }
    const { id } = await newRule(me, {
      condition: { field: 'kind', op: 'is', value: 'expense' },
      changes: { note: '{note}東{note}', reviewed: true },
      overwrite: true,
    })
    const selected = by === 'ids' ? { ids } : { filter: { accountId: account.id } }
    const json = { ...selected, ruleIds: [id] }
    const send = (page: number, cursor?: string) => {
      const headers = { 'Idempotency-Key': `${by}-${page}` }
      return ok(runRules, { as: me, json: { ...json, ...(cursor ? { cursor } : {}) }, headers })
    }
    const pages = [await send(0)]
    expect(await send(0)).toEqual(pages[0])
    for (let cursor = pages[0]?.nextCursor; cursor; cursor = pages.at(-1)?.nextCursor) {
      pages.push(await send(pages.length, cursor))
    }
    expect(pages.length).toBeGreaterThan(2)
    const changed = pages.flatMap(({ results }) => results.map((one) => one.id))
    expect([changed.length, new Set(changed)]).toEqual([400, new Set(ids)])
    for (const page of pages) {
      expect(sizeOf(JSON.stringify(page))).toBeLessThan(1.1 * 1024 ** 2)
    }
    const [found] = await rows<{ count: number }>(
      "SELECT count(*) AS count FROM transactions WHERE owner_id = ? AND version = 2 AND note LIKE '%東%'",
      me.id,
    )
    expect(found?.count).toBe(400)
  },
)
