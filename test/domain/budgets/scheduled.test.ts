import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, addMonths } from '../../../src/domain/calendar.ts'
import { periodAt, type PeriodRule } from '../../../src/domain/budgets/periods.ts'
import { type ScheduledCost, scheduledNeed } from '../../../src/domain/budgets/scheduled.ts'
import { type ByDateTarget, neededOf, periodsLeft } from '../../../src/domain/budgets/targets.ts'

const monthly: PeriodRule = { unit: 'month', count: 1, anchor: '2026-01-01', weekend: 'keep' }
const TODAY = '2026-01-10'

const cost = (date: string, amountMinor: number, paidOn: string | null = null): ScheduledCost => ({
  date,
  amountMinor,
  paidOn,
})

/** A cost on a day of every few months, from one of them on. */
const every = (count: number, first: string, amountMinor: number): ScheduledCost[] =>
  Array.from({ length: 60 / count }, (_, at) => cost(addMonths(first, at * count), amountMinor))

const needIn = (
  index: number,
  series: ScheduledCost[][],
  { carriedIn = 0, today = TODAY }: { carriedIn?: number; today?: string } = {},
) => Number(scheduledNeed(series, monthly, { period: periodAt(monthly, index), today, carriedIn }))

describe('the need for what recurs', () => {
  const rent = every(1, '2026-01-28', 120_000)
  const tax = every(12, '2026-07-15', 31_000)

  test.each<[string, ScheduledCost[][], number, number]>([
    ['nothing', [], 500, 0],
    ['nothing, with a debt', [[]], -500, 0],
    ['what is due in the period', [rent], 0, 120_000],
    ['what it lacks', [rent], 20_000, 100_000],
    ['with a debt', [rent], -500, 120_500],
    ['less than nothing where there is more', [rent], 200_000, -80_000],
    ['a part of what comes later, rounded up', [tax], 0, 4_429],
    ['each by itself', [rent, tax], 0, 124_429],
    ['all of several in the period', [[cost('2026-01-03', 10), cost('2026-01-30', 10)]], 0, 20],
    ['the last one', [[cost('2026-03-30', 9)]], 0, 3],
    ['what is not paid before', [[cost('2025-12-30', 7), cost('2026-01-30', 8)]], 0, 15],
    ['what was paid late', [[cost('2025-12-30', 7, '2026-01-02')]], 0, 7],
    ['what was paid early', [[cost('2026-02-03', 7, '2026-01-30')]], 0, 7],
    ['nothing that was paid', [[cost('2026-02-03', 7, '2025-12-30')]], 0, 0],
  ])('is %s', (_, series, carriedIn, expected) => {
    expect(needIn(0, series, { carriedIn })).toBe(expected)
  })

  test('of later periods leaves money for what is unpaid until then', () => {
    expect(needIn(1, [rent], { carriedIn: 120_000 })).toBe(120_000)
    expect(needIn(1, [rent], { carriedIn: 130_000 })).toBe(110_000)
    expect(needIn(1, [rent])).toBe(120_000)
  })

  test('keeps the savings for later costs apart from what the period costs', () => {
    // In the second month, 44.29 are saved for the tax, and the rent needs its money anew.
    const today = '2026-02-01'
    const paid = rent.map((one, at) => (at === 0 ? { ...one, paidOn: one.date } : one))
    expect(needIn(1, [paid, tax], { carriedIn: 4_429, today })).toBe(124_429)
    // More than is planned for the tax goes on to it, before it goes to the rent.
    expect(needIn(1, [paid, tax], { carriedIn: 31_000, today })).toBe(120_000)
    expect(needIn(1, [paid, tax], { carriedIn: 32_000, today })).toBe(119_000)
  })

  test('of one item is that of a target by its date', () => {
    const wanted = fc.record({
      amountMinor: fc.integer({ min: 1, max: 100_000 }),
      carriedIn: fc.integer({ min: -50_000, max: 150_000 }),
      assigned: fc.integer({ min: -50_000, max: 150_000 }),
      months: fc.nat(30),
    })
    fc.assert(
      fc.property(wanted, ({ amountMinor, carriedIn, assigned, months }) => {
        const date = addMonths('2026-01-28', months)
        const period = periodAt(monthly, 0)
        const byDate: ByDateTarget = { type: 'byDate', amountMinor, date, every: null }
        const scheduled = scheduledNeed([[cost(date, amountMinor)]], monthly, {
          ...{ period, today: TODAY, carriedIn },
        })
        const facts = { carriedIn, assigned, income: 0, averageSpent: 0, scheduled }
        const left = periodsLeft(byDate, monthly, period)
        expect(neededOf({ type: 'schedule', recurringIds: [] }, { ...facts, periodsLeft: 0 })).toBe(
          neededOf(byDate, { ...facts, periodsLeft: left }),
        )
      }),
    )
  })

  test('is enough for each cost on its day, and level in the end', () => {
    const items = fc.array(
      fc.record({
        count: fc.constantFrom(1, 2, 3, 6, 12),
        delay: fc.nat(11),
        day: fc.integer({ min: 0, max: 27 }),
        amountMinor: fc.integer({ min: 1, max: 100_000 }),
      }),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(items, (wanted) => {
        const series = wanted.map(({ count, delay, day, amountMinor }) =>
          every(count, addDays(addMonths('2026-01-01', delay % count), day), amountMinor),
        )
        let carried = 0
        const needs: number[] = []
        for (let index = 0; index < 48; index += 1) {
          const { start, end } = periodAt(monthly, index)
          // All before the period is paid on its day.
          const known = series.map((costs) =>
            costs.map((one) => (one.date < start ? { ...one, paidOn: one.date } : one)),
          )
          const needed = needIn(index, known, { carriedIn: carried, today: start })
          needs.push(needed)
          const due = series.flat().filter(({ date }) => date >= start && date <= end)
          carried += needed - due.reduce((total, one) => total + one.amountMinor, 0)
          expect(carried).toBeGreaterThanOrEqual(0)
        }
        // What an item needs in a month is its amount by the months, but for cents that were rounded up and what is left of the start.
        const level = wanted.reduce((all, { count, amountMinor }) => all + amountMinor / count, 0)
        for (const needed of needs.slice(24)) {
          expect(Math.abs(needed - level)).toBeLessThanOrEqual(30 * wanted.length + level / 50)
        }
      }),
    )
  })
})
