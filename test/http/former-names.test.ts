import { describe, expect, it } from 'vitest'
import {
  listAuditLogs,
  listOwnAuditLog,
} from '../../src/areas/insight/audit-log/audit-log.routes.ts'
import { exportAuditLog } from '../../src/areas/insight/audit-log/exports/exports.routes.ts'
import { listCategories } from '../../src/areas/money/categories/categories.routes.ts'
import {
  createExchangeRate,
  listExchangeRates,
  listExchangeRatesOfPair,
} from '../../src/areas/money/exchange-rates/exchange-rates.routes.ts'
import { listSystemRates } from '../../src/areas/money/exchange-rates/system/system.routes.ts'
import { call, ok } from '../support/api.ts'
import { newAccount, newAdmin, newUser } from '../support/world.ts'
import { book, newCategory, refusal } from '../areas/transactions/booking.ts'

const [EARLY, LATE] = ['2000-01-01T00:00:00Z', '2100-01-01T00:00:00Z']

describe('the former name of a field', () => {
  it('says what the present one says', async () => {
    const me = await newUser()
    const account = await newAccount(me)
    const category = await newCategory(me)
    for (const date of ['2026-09-30', '2026-10-01', '2026-11-30', '2026-12-01']) {
      await book(me, account, { date, categoryId: category.id })
    }
    const sumsOf = (query: Record<string, string>) =>
      ok(listCategories, { as: me, query }).then(({ categories }) => categories[0]?.sums)
    const sums = await sumsOf({ fromMonth: '2026-10', toMonth: '2026-11' })
    expect(sums).toMatchObject([{ amount: '24.60' }])
    expect(await sumsOf({ from: '2026-10', to: '2026-11' })).toEqual(sums)
    expect(await sumsOf({ fromMonth: '2026-10', to: '2026-11' })).toEqual(sums)

    const logged = async (query: Record<string, string>) =>
      (await ok(listOwnAuditLog, { as: me, query })).count > 0
    expect([await logged({ from: LATE }), await logged({ to: EARLY })]).toEqual([false, false])
    expect([await logged({ from: EARLY }), await logged({ to: LATE })]).toEqual([true, true])

    for (const date of ['2026-01-01', '2026-01-02', '2026-01-03']) {
      const rate = { from: 'EUR', to: 'CHF', date, rate: '2' }
      await ok(createExchangeRate, { as: me, json: rate })
    }
    const query = { since: '2026-01-02', until: '2026-01-02' }
    const listed = await ok(listExchangeRates, { as: me, query: { ...query, from: 'EUR' } })
    expect(listed.exchangeRates.map(({ date }) => date)).toEqual(['2026-01-02'])
    const path = { from: 'EUR', to: 'CHF' }
    const pair = await ok(listExchangeRatesOfPair, { as: me, path, query })
    expect(pair.exchangeRates.map(({ date }) => date)).toEqual(['2026-01-02'])
  })

  it('may take turns with the present one from page to page', async () => {
    const me = await newUser()
    await newAccount(me)
    const first = await ok(listOwnAuditLog, { as: me, query: { since: EARLY, limit: 1 } })
    const cursor = first.nextCursor ?? ''
    expect(cursor).not.toBe('')
    const [second, other] = await Promise.all([
      ok(listOwnAuditLog, { as: me, query: { since: EARLY, cursor, limit: 1 } }),
      ok(listOwnAuditLog, { as: me, query: { from: EARLY, cursor, limit: 1 } }),
    ])
    expect(second.entries).toHaveLength(1)
    expect(other.entries).toEqual(second.entries)
  })

  it('is refused beside the present one, with the field', async () => {
    const admin = await newAdmin()
    const both = { from: EARLY, since: EARLY }
    const refused = [
      await call(listCategories, { as: admin, query: { to: '2026-10', toMonth: '2026-10' } }),
      await call(listAuditLogs, { as: admin, query: both }),
      await call(listOwnAuditLog, { as: admin, query: both }),
      await call(exportAuditLog, { as: admin, json: both }),
      await call(listSystemRates, {
        as: admin,
        query: { until: '2026-01-02', toDate: '2026-01-02' },
      }),
    ]
    expect(refused.map(refusal)).toEqual([
      [400, 'request.invalid', 'to'],
      [400, 'request.invalid', 'from'],
      [400, 'request.invalid', 'from'],
      [400, 'request.invalid', 'from'],
      [400, 'request.invalid', 'until'],
    ])
    expect(refused[0]?.error.error).toBe(
      'to is the former name of toMonth, so they cannot be sent together. Send only toMonth.',
    )
  })

  it('keeps to the form of the field', async () => {
    const me = await newUser()
    const refused = [
      await call(listCategories, { as: me, query: { from: '2026-10-01' } }),
      await call(listCategories, { as: me, query: { fromMonth: '2026-13' } }),
      await call(listOwnAuditLog, { as: me, query: { from: '2026-10-01' } }),
    ]
    expect(refused.map(refusal)).toEqual([
      [400, 'request.invalid', 'from'],
      [400, 'request.invalid', 'fromMonth'],
      [400, 'request.invalid', 'from'],
    ])
  })
})
