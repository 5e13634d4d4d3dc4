import { expect, it } from 'vitest'
import {
  getCashFlow,
  getIncomeStatement,
  getSpending,
} from '../../../src/areas/insight/reports/flows/flows.routes.ts'
import { ok } from '../../support/api.ts'
import { rounds, SEED } from '../../support/rounds.ts'
import { BREAKDOWNS } from './expected.fixtures.ts'
import { newLedger } from './ledger.fixtures.ts'
import { compareTables } from './tables.fixtures.ts'

const cents = (text = '') => BigInt(text.replace('.', ''))

it('a household has the same total by every breakdown, at every interval, in JSON and as a table', async () => {
  for (let at = 0; at < rounds(25, 500); at++) {
    const { ada } = await newLedger(SEED + at, 12)
    const span = { from: '2023-06-15', to: '2024-07-14' }
    const totals = new Set<string>()
    for (const interval of ['day', 'week', 'month', 'quarter', 'year', undefined] as const) {
      const query = { ...span, currency: 'EUR', ...(interval ? { interval } : {}) }
      for (const by of BREAKDOWNS) {
        const { total, overlap, rows } = await ok(getSpending, { as: ada, query: { ...query, by } })
        const own = rows.reduce((sum, row) => sum + cents(row.own), 0n)
        expect(own - cents(overlap.amount), `seed ${SEED + at}, ${by}`).toBe(cents(total.amount))
        for (const row of rows) {
          const parts = row.periods.reduce((sum, one) => sum + cents(one.own), 0n)
          expect(parts, `seed ${SEED + at}, ${by}`).toBe(cents(row.own))
        }
        totals.add(String(total.amount))
      }
      const statement = await ok(getIncomeStatement, { as: ada, query })
      totals.add(String(statement.totals.spent))
      const { periods } = await ok(getCashFlow, { as: ada, query })
      for (const [index, one] of periods.entries()) {
        const sums = [one.in, one.out, one.otherAccounts, one.adjustments, one.currencyEffect]
        const moved = sums.reduce((sum, text) => sum + cents(text), 0n)
        expect(cents(one.opening) + moved).toBe(cents(one.closing))
        expect(periods[index + 1]?.opening ?? one.closing).toBe(one.closing)
      }
    }
    expect(totals.size, `seed ${SEED + at}: ${[...totals].join(' ')}`).toBe(1)
    await compareTables(
      ada,
      { ...span, currency: at % 2 ? 'EUR' : 'none', interval: 'month' },
      'tag',
    )
  }
}, 3_600_000)
