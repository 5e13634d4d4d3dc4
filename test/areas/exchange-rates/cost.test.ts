import { expect, it } from 'vitest'
import { ratesAsOf } from '../../../src/areas/money/exchange-rates/exchange-rates.public.ts'
import { rows } from '../../support/api.ts'
import { contextOf } from '../../support/context.ts'
import { planOf } from '../../support/plans.ts'
import { newUser } from '../../support/world.ts'
import { find, oneOf } from './rates.ts'

it('reads no more rows, and scans nothing, with thousands of rates stored', async () => {
  const me = await newUser({ baseCurrency: 'EUR' })
  const currencies = ['USD', 'GBP', 'CHF', 'EUR']
  const store = (days: number) =>
    rows(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?2 - 1),
         pair(f, t) AS (VALUES ('USD', 'EUR'), ('EUR', 'GBP'), ('CHF', 'EUR'), ('CHF', 'JPY'))
       INSERT OR IGNORE INTO exchange_rates
         (id, owner_id, from_currency, to_currency, date, rate, created_at, updated_at)
       SELECT 'rate_' || ?1 || f || t || i, ?1, f, t, date('2026-06-30', '-' || i || ' days'), '1.5', 0, 0
       FROM n, pair`,
      me.id,
      days,
    )
  await store(5)
  const before = await find(me, '2026-06-28', currencies, 'JPY')
  await store(1000)
  const after = await find(me, '2026-06-28', currencies, 'JPY')
  const [stored] = await rows<{ n: number }>(
    'SELECT count(*) AS n FROM exchange_rates WHERE owner_id = ?',
    me.id,
  )
  expect(stored?.n).toBe(4000)
  expect(after.found).toEqual(before.found)
  expect(after.found.map(({ date }) => date)).toEqual(Array.from({ length: 4 }, () => '2026-06-28'))
  expect(after.cost.rowsRead).toBe(before.cost.rowsRead)
  // Two seeks for each of six rates of a currency, and its place in the lists on the way.
  expect(after.cost.rowsRead).toBeLessThan(60)

  const ctx = await contextOf(me, 'exchangeRates.read')
  const query = ratesAsOf(ctx, '2026-06-28', oneOf(currencies), 'JPY') as unknown as {
    getQuery: () => { sql: string; params: unknown[] }
  }
  const { sql, params } = query.getQuery()
  const rateSteps = (await planOf(sql, params)).filter((step) => / rated\b/.test(step))
  expect(rateSteps).toHaveLength(12)
  for (const step of rateSteps) {
    expect(step).toMatch(/SEARCH rated USING INDEX (system_)?exchange_rates_pair_date/)
  }
})
