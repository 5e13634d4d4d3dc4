import fc from 'fast-check'
import { expect, test } from 'vitest'
import { convertTotals } from '../../src/areas/money/transactions/listing/totals.rules.ts'
import type { LedgerDay } from '../../src/ledger/search/search.public.ts'
import { type ChosenRate, convertForDisplay, parseRate, toRate } from '../../src/domain/exchange.ts'

const chosen = (rate: string): ChosenRate => ({
  ...{ rate: toRate(parseRate(rate)), rateText: rate, date: '2026-01-01', path: 'direct' },
})

const on = (date: string, currency: string, amounts: readonly number[]): LedgerDay => {
  const sum = (some: readonly number[]) => BigInt(some.reduce((total, one) => total + one, 0))
  const [inflow, outflow] = [amounts.filter((one) => one > 0), amounts.filter((one) => one < 0)]
  return { date, currency, count: amounts.length, inflow: sum(inflow), outflow: sum(outflow) }
}

test('totals without a rate stand apart by currency, with their first and last day', () => {
  const days = [
    ...[on('2026-01-02', 'KWD', [-5]), on('2026-01-02', 'USD', [-3, 1])],
    ...[on('2026-01-01', 'KWD', [7]), on('2026-01-03', 'BHD', [-2])],
  ]
  const found = convertTotals(days, 'EUR', ({ currency }) =>
    currency === 'USD' ? chosen('0.5') : undefined,
  )
  // 0.01 USD is half a cent, which rounds to zero; the net of -0.02 USD is -0.01 EUR.
  expect(found.converted).toEqual({ currency: 'EUR', count: 2, inflow: 0n, outflow: -1n })
  expect(found.unconverted).toEqual([
    { currency: 'BHD', count: 1, inflow: 0n, outflow: -2n, from: '2026-01-03', to: '2026-01-03' },
    { currency: 'KWD', count: 2, inflow: 7n, outflow: -5n, from: '2026-01-01', to: '2026-01-02' },
  ])
})

test('rows and totals differ by at most half a minor unit for each amount that was rounded', () => {
  const anyDay = fc.array(fc.integer({ min: -500, max: 500 }), { minLength: 1, maxLength: 8 })
  const anyRate = fc.integer({ min: 1, max: 3_000 }).map((rate) => String(rate / 1_000))
  fc.assert(
    fc.property(fc.array(anyDay, { maxLength: 8 }), anyRate, (days, text) => {
      const rate = chosen(text)
      const totals = days.map((amounts, at) => on(`2026-01-0${at + 1}`, 'USD', amounts))
      const { converted } = convertTotals(totals, 'EUR', () => rate)
      const rows = days
        .flat()
        .reduce((sum, one) => sum + convertForDisplay(one, 'USD', 'EUR', rate.rate), 0n)
      const difference = Number(converted.inflow + converted.outflow - rows)
      expect(Math.abs(difference)).toBeLessThanOrEqual((days.flat().length + days.length) / 2)
      expect(converted.inflow >= 0n && converted.outflow <= 0n).toBe(true)
    }),
  )
})
