import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { periodAt, periodNamed, type PeriodRule } from '../../../src/domain/budgets/periods.ts'
import {
  averageOf,
  neededOf,
  periodsLeft,
  shareOut,
  statusOf,
  type ByDateTarget,
  type Target,
  type TargetFacts,
} from '../../../src/domain/budgets/targets.ts'
import { allocate, MAX_MINOR, sum } from '../../../src/domain/money.ts'
import { minorOf } from './money.fixtures.ts'

const outOfRange = (code: string) => expect.objectContaining({ code: `${code}.outOfRange` })
const monthly: PeriodRule = { unit: 'month', count: 1, anchor: '2026-01-01', weekend: 'keep' }

const NOTHING: TargetFacts = {
  ...{ carriedIn: 0, assigned: 0, income: 0, averageSpent: 0, periodsLeft: 0, scheduled: 0n },
}
const amountsOf = (text: string) => text.split(' ').map(minorOf)
const byDate = (date: string, every: ByDateTarget['every'] = null): ByDateTarget => ({
  ...{ type: 'byDate', amountMinor: 0, date, every },
})
const leftIn = (target: ByDateTarget, nominal: string, rule = monthly) => {
  const period = periodNamed(rule, nominal)
  return period ? periodsLeft(target, rule, period) : expect.unreachable('There is no such period')
}

describe('what is still to be assigned', () => {
  const target = (type: 'amount' | 'refill' | 'balance'): Target => ({ type, amountMinor: 10_000 })
  const by: Target = { ...byDate('2026-12-01'), amountMinor: 10_000 }
  const income: Target = { type: 'percentOfIncome', hundredths: 750 }
  const average: Target = { type: 'average', periods: 3 }

  test.each<[string, Target, Partial<TargetFacts>, number]>([
    ['an amount', target('amount'), {}, 10_000],
    ['an amount, whatever is carried in', target('amount'), { carriedIn: 7_000 }, 10_000],
    ['an amount, assigned in part', target('amount'), { assigned: 2_500 }, 7_500],
    ['an amount, assigned', target('amount'), { assigned: 10_000 }, 0],
    ['an amount, more than assigned', target('amount'), { assigned: 10_001 }, 0],
    ['an amount, taken from', target('amount'), { assigned: -500 }, 10_500],
    ['a refill', target('refill'), { carriedIn: 7_000, assigned: 1_000 }, 2_000],
    ['a refill after overspending', target('refill'), { carriedIn: -7_000 }, 10_000],
    ['a full refill', target('refill'), { carriedIn: 12_000 }, 0],
    ['a balance', target('balance'), { carriedIn: 7_000, assigned: 1_000 }, 2_000],
    ['a balance after overspending', target('balance'), { carriedIn: -7_000 }, 17_000],
    ['a reached balance', target('balance'), { carriedIn: 10_000 }, 0],
    ['by a date', by, { periodsLeft: 3 }, 3_334],
    ['by a date, evenly', by, { periodsLeft: 4 }, 2_500],
    ['by a date, in the last period', by, { periodsLeft: 1, carriedIn: 6_668 }, 3_332],
    ['by a date that is past', by, { periodsLeft: 0, carriedIn: 6_668, assigned: 1 }, 3_331],
    ['by a date, after overspending', by, { periodsLeft: 2, carriedIn: -1 }, 5_001],
    ['by a date, reached', by, { periodsLeft: 3, carriedIn: 10_000 }, 0],
    ['by a date, taken from', by, { periodsLeft: 3, carriedIn: 10_004, assigned: -100 }, 99],
    ['of income', income, { income: 213_333 }, 16_000],
    ['of income, half to even below', income, { income: 100 * 20 + 60 }, 154],
    ['of income, half to even', { type: 'percentOfIncome', hundredths: 5_000 }, { income: 5 }, 2],
    ['of income, assigned', income, { income: 213_333, assigned: 15_999 }, 1],
    ['of less than no income', income, { income: -213_333 }, 0],
    ['an average', average, { averageSpent: 4_168, assigned: 168 }, 4_000],
    ['an average, assigned', average, { averageSpent: 4_168, assigned: 5_000 }, 0],
  ])('%s', (_, some, facts, expected) => {
    expect(neededOf(some, { ...NOTHING, ...facts })).toBe(expected)
  })

  test('the largest amounts are exact, and nothing needs more than an amount can be', () => {
    const most: Target = { ...by, amountMinor: MAX_MINOR }
    const needed = (facts: Partial<TargetFacts>) => neededOf(most, { ...NOTHING, ...facts })
    expect(needed({ periodsLeft: 2, carriedIn: -MAX_MINOR })).toBe(MAX_MINOR)
    expect(neededOf(income, { ...NOTHING, income: MAX_MINOR })).toBe(675_539_944_105_574)
    expect(needed({ assigned: -1 })).toBe(MAX_MINOR)
    expect(needed({ assigned: -MAX_MINOR, carriedIn: -MAX_MINOR })).toBe(MAX_MINOR)
  })

  test('a target by a date is reached at the date, in even steps', () => {
    fc.assert(
      fc.property(fc.nat(10_000_000), fc.integer({ min: 1, max: 120 }), (amountMinor, periods) => {
        let carriedIn = 0
        const steps = Array.from({ length: periods }, (_, at) => {
          const facts = { ...NOTHING, carriedIn, periodsLeft: periods - at }
          const needed = neededOf({ ...by, amountMinor }, facts)
          carriedIn += needed
          return needed
        })
        expect(carriedIn).toBe(amountMinor)
        expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('once it is assigned, nothing more is needed', () => {
    const facts = fc.record({
      carriedIn: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      assigned: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      income: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      averageSpent: fc.nat(1_000_000),
      periodsLeft: fc.nat(12),
      scheduled: fc.bigInt(-1_000_000n, 1_000_000n),
    })
    const targets = fc.constantFrom(
      ...[target('amount'), target('refill'), target('balance'), by, income, average],
      { type: 'schedule' as const, recurringIds: [] },
    )
    fc.assert(
      fc.property(targets, facts, (some, of) => {
        const needed = neededOf(some, of)
        expect(needed).toBeGreaterThanOrEqual(0)
        expect(neededOf(some, { ...of, assigned: of.assigned + needed })).toBe(0)
      }),
    )
  })
})

describe('the periods left until a date', () => {
  test.each([
    ['2026-06-01', '2026-12-31', 7],
    ['2026-06-01', '2026-12-01', 7],
    ['2026-06-01', '2026-08-15', 3],
    ['2026-06-01', '2026-06-30', 1],
    ['2026-06-01', '2026-06-01', 1],
    ['2026-06-01', '2026-05-31', 0],
    ['2026-06-01', '1999-05-31', 0],
    ['2026-06-01', '2200-12-31', 2_095],
  ])('from %s through %s they are %i', (nominal, date, expected) => {
    expect(leftIn(byDate(date), nominal)).toBe(expected)
  })

  test('they are those of the rule, weekends included', () => {
    const rule: PeriodRule = { ...monthly, anchor: '2026-10-31', weekend: 'before' }
    expect(leftIn(byDate('2027-01-28'), '2026-10-31', rule)).toBe(3)
    expect(leftIn(byDate('2027-01-29'), '2026-10-31', rule)).toBe(4)
  })

  const yearly = { count: 1, unit: 'year' } as const
  test.each<[string, ByDateTarget['every'], string, number]>([
    ['2026-12-24', yearly, '2026-12-01', 1],
    ['2026-12-24', yearly, '2027-01-01', 12],
    ['2026-12-01', yearly, '2026-12-01', 1],
    ['2026-12-01', yearly, '2027-12-01', 1],
    ['2024-02-29', yearly, '2026-03-01', 12],
    ['2024-02-29', yearly, '2028-02-01', 1],
    ['2026-05-31', yearly, '2026-06-01', 12],
    ['2026-01-31', { count: 1, unit: 'month' }, '2026-02-01', 1],
    ['2026-01-31', { count: 3, unit: 'month' }, '2026-03-01', 2],
    ['2026-01-31', { count: 3, unit: 'month' }, '2026-05-01', 3],
    ['2026-01-01', { count: 10, unit: 'week' }, '2026-02-01', 2],
    ['2026-01-01', { count: 10, unit: 'week' }, '2026-04-01', 2],
    ['2027-01-01', { count: 10, unit: 'week' }, '2026-04-01', 10],
  ])('from %s every %j, in %s', (date, every, nominal, expected) => {
    expect(leftIn(byDate(date, every), nominal)).toBe(expected)
  })

  test('each next occurrence counts once the one before is past', () => {
    const target = byDate('2026-03-31', { count: 3, unit: 'month' })
    const left = Array.from({ length: 9 }, (_, at) =>
      periodsLeft(target, monthly, periodAt(monthly, at)),
    )
    expect(left).toEqual([3, 2, 1, 3, 2, 1, 3, 2, 1])
  })

  test('an occurrence beyond the calendar is refused', () => {
    const target = byDate('2026-01-31', { count: 200, unit: 'year' })
    expect(leftIn(target, '2026-01-01')).toBe(1)
    expect(() => leftIn(target, '2026-02-01')).toThrow(outOfRange('calendar'))
  })
})

describe('the status of a target', () => {
  const facts = { needed: 1, periodsLeft: 0, isSnoozed: false }
  const amount: Target = { type: 'amount', amountMinor: 100 }

  test.each<[string, Target, Partial<typeof facts>, string]>([
    ['nothing is needed', amount, { needed: 0 }, 'funded'],
    ['something is needed', amount, {}, 'underfunded'],
    ['something is needed, but not now', amount, { isSnoozed: true }, 'snoozed'],
    ['nothing is needed anyway', amount, { needed: 0, isSnoozed: true }, 'funded'],
    ['the date is ahead', byDate('2026-01-01'), { periodsLeft: 1 }, 'underfunded'],
    ['the date is past', byDate('2026-01-01'), {}, 'overdue'],
    ['it is past and reached', byDate('2026-01-01'), { needed: 0 }, 'funded'],
    ['it is past, but not now', byDate('2026-01-01'), { isSnoozed: true }, 'snoozed'],
  ])('%s', (_, target, some, expected) => {
    expect(statusOf(target, { ...facts, ...some })).toBe(expected)
  })
})

describe('averages', () => {
  const FOOD_ASSIGNED = amountsOf('400 380 420 410 395 405 400 390 415 402 398 407.50')
  const FOOD_SPENT = amountsOf(
    '401.10 377.25 419.90 433.33 390 400 412.20 388 415 399.99 404.01 410.50',
  )
  const POWER = amountsOf('0 0 120.01 0 0 119.99 0 0 130 0 0 125.05')
  const assigned = { floorAtZero: false }
  const spent = { floorAtZero: true }

  test.each([
    ['assigned to Food', FOOD_ASSIGNED, assigned, '402.50 402.08 401.88'],
    ['spent on Food', FOOD_SPENT, spent, '404.83 404.95 404.27'],
    ['assigned to Power', POWER, assigned, '41.68 42.51 41.25'],
    ['spent on Power', POWER, spent, '41.68 42.51 41.25'],
  ])('of 3, 6 and 12 months, %s', (_, values, options, expected) => {
    const averages = [3, 6, 12].map((periods) => averageOf(values, periods, options))
    expect(averages).toEqual(amountsOf(expected))
  })

  test.each<[string, number[], number]>([
    ['no period', [], 0],
    ['fewer periods', [1_000, 2_001], 1_500],
    ['a half, to even', [1, 4], 2],
    ['refunds of one period', [300, -300, 600], 200],
    ['refunds only', [-300], -300],
    ['the largest amounts', [MAX_MINOR, MAX_MINOR, MAX_MINOR], MAX_MINOR],
  ])('of %s', (_, values, expected) => {
    expect(averageOf(values, 3, assigned)).toBe(expected)
  })

  test('a period in which less than nothing was spent counts as zero', () => {
    expect(averageOf([300, -300, 600], 3, spent)).toBe(300)
    expect(averageOf([-300], 3, spent)).toBe(0)
  })
})

describe('sharing out what there is', () => {
  test('2133.33 over six targets', () => {
    const income = minorOf('2133.33')
    const amount = (type: 'amount' | 'refill' | 'balance', text: string): Target => ({
      ...{ type, amountMinor: minorOf(text) },
    })
    const by = (date: string, text: string): Target => ({
      ...byDate(date),
      amountMinor: minorOf(text),
    })
    const lines: [string, Target, number, string, string, string, string][] = [
      ['Rent', amount('amount', '1200'), 1, '0', '1200', '1200', '0'],
      ['Food', amount('refill', '400'), 2, '50', '350', '350', '0'],
      ['Car tax', by('2026-12-31', '310'), 2, '80', '32.86', '32.86', '0'],
      ['Trip', by('2026-08-31', '1000'), 3, '0', '333.34', '333.34', '0'],
      ['Giving', { type: 'percentOfIncome', hundredths: 750 }, 3, '0', '160', '160', '0'],
      ['Buffer', amount('balance', '500'), 4, '120', '380', '57.13', '322.87'],
    ]
    const needs = lines.map(([lineId, target, priority, carriedIn]) => {
      const left = target.type === 'byDate' ? leftIn(target, '2026-06-01') : 0
      const facts = { ...NOTHING, income, carriedIn: minorOf(carriedIn), periodsLeft: left }
      return { lineId, priority, needed: neededOf(target, facts) }
    })
    const given = shareOut(needs, income)
    const rows = needs.map(({ lineId, needed }) => {
      const got = given.get(lineId) ?? 0
      return [lineId, needed, got, needed - got]
    })
    expect(rows).toEqual(
      lines.map(([line, , , , ...amounts]) => [line, ...amounts.map((text) => minorOf(text))]),
    )
  })

  test.each<[string, number, number[]]>([
    ['not enough for the first', 6, [0, 2, 4]],
    ['a remainder, for the last', 5, [0, 1, 4]],
    ['enough for the first', 30, [0, 10, 20]],
    ['a part for the second', 31, [1, 10, 20]],
    ['enough for both', 50, [7, 10, 20]],
    ['nothing', 0, [0, 0, 0]],
    ['less than nothing', -5, [0, 0, 0]],
  ])('%s', (_, available, expected) => {
    const needs = [
      { lineId: 'a', priority: 9, needed: 7 },
      { lineId: 'b', priority: 2, needed: 10 },
      { lineId: 'c', priority: 2, needed: 20 },
    ]
    const given = shareOut(needs, available)
    expect(['a', 'b', 'c'].map((line) => given.get(line))).toEqual(expected)
  })

  test('the needs of a priority may add up to more than the largest amount', () => {
    const most = { priority: 1, needed: MAX_MINOR }
    const given = shareOut(
      [
        { lineId: 'a', ...most },
        { lineId: 'b', ...most },
      ],
      MAX_MINOR,
    )
    expect([...given.values()]).toEqual(allocate(MAX_MINOR, [1, 1]))
  })

  test('all is given that is there and needed, and none to a priority before another has enough', () => {
    const anyNeeds = fc.array(
      fc.record({ priority: fc.integer({ min: 1, max: 9 }), needed: fc.nat(10_000) }),
      { maxLength: 12 },
    )
    fc.assert(
      fc.property(anyNeeds, fc.integer({ min: -100, max: 60_000 }), (some, available) => {
        const needs = some.map((one, at) => ({ ...one, lineId: `${at}` }))
        const given = shareOut(needs, available)
        const needed = sum(needs.map((one) => one.needed))
        expect(given.size).toBe(needs.length)
        expect(sum([...given.values()])).toBe(Math.min(Math.max(0, available), needed))
        const sumOf = (priority: number) => {
          const group = needs.filter((one) => one.priority === priority)
          return {
            needed: sum(group.map((one) => one.needed)),
            given: sum(group.map((one) => given.get(one.lineId) ?? 0)),
          }
        }
        const groups = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(sumOf)
        const firstShort = groups.findIndex((group) => group.given < group.needed)
        const later = firstShort === -1 ? [] : groups.slice(firstShort + 1)
        expect(later.map((group) => group.given)).toEqual(later.map(() => 0))
      }),
    )
  })
})
