import { describe, expect, it } from 'vitest'
import {
  amountAfter,
  amountFits,
  amountScore,
  type ExpectedAmount,
  leastAmount,
} from '../../../src/domain/recurring/amounts.ts'
import { scheduleOf, seriesOf } from '../../../src/domain/recurring/series.ts'
import { type OccurrenceState, statusOn } from '../../../src/domain/recurring/status.ts'
import { outlookFrom } from '../../../src/domain/recurring/upcoming.ts'

const expected = (fields: Partial<ExpectedAmount> = {}): ExpectedAmount => ({
  ...{ amountIs: 'about', amountMinor: 5000, amountMaxMinor: null, tolerance: 1000 },
  ...fields,
})

describe('amounts', () => {
  it.each<[ExpectedAmount, number, boolean]>([
    [expected(), 4500, true],
    [expected(), 4499, false],
    [expected(), 5500, true],
    [expected(), 5501, false],
    [expected({ tolerance: 0 }), 5001, false],
    [expected({ amountIs: 'exact' }), 5000, true],
    [expected({ amountIs: 'exact' }), 5001, false],
    [expected({ amountIs: 'between', amountMaxMinor: 6000 }), 5000, true],
    [expected({ amountIs: 'between', amountMaxMinor: 6000 }), 6000, true],
    [expected({ amountIs: 'between', amountMaxMinor: 6000 }), 4999, false],
    [expected({ amountIs: 'between', amountMaxMinor: 6000 }), 6001, false],
    [expected({ amountIs: 'between' }), 5001, false],
    [expected({ amountMinor: 2 ** 53 - 1, tolerance: 5000 }), 2 ** 52, true],
  ])('%j of %d', (one, minor, fits) => {
    expect(amountFits(one, minor)).toBe(fits)
  })

  it('has a smallest that fits', () => {
    for (const amountMinor of [1, 9, 333, 5000, 99_999]) {
      const one = expected({ amountMinor, tolerance: 333 })
      expect(amountFits(one, leastAmount(one))).toBe(true)
      expect(amountFits(one, leastAmount(one) - 1)).toBe(false)
    }
    expect(leastAmount(expected({ amountIs: 'exact' }))).toBe(5000)
    expect(leastAmount(expected({ amountIs: 'between', amountMaxMinor: 6000 }))).toBe(5000)
  })

  it.each([
    [expected(), 5000, 40],
    [expected(), 5120, 36],
    [expected(), 5500, 20],
    [expected(), 4990, 40],
    [expected(), 4974, 39],
    [expected({ amountIs: 'between', amountMaxMinor: 6000 }), 5900, 40],
    [expected({ amountIs: 'exact' }), 5000, 40],
    [expected({ tolerance: 0 }), 5000, 40],
  ])('%j of %d scores %d', (one, minor, score) => {
    expect(amountScore(one, minor)).toBe(score)
  })
})

describe('a price that changes', () => {
  it('is the one that came twice', () => {
    const price = expected({ amountIs: 'exact', amountMinor: 999 })
    const paid = [999, 999, 999, 1099, 1099, 1099, 1299, 1099]
    const after = paid.map((_, at) => amountAfter(price, paid.slice(0, at + 1)))
    expect(after).toEqual([...Array<number>(4).fill(999), ...Array<number>(4).fill(1099)])
  })

  it('does not change where a span is expected', () => {
    const span = expected({ amountIs: 'between', amountMaxMinor: 6000 })
    expect(amountAfter(span, [5500, 5500])).toBe(5000)
  })
})

describe('the status of 50.00 about on 2026-11-10, lead 5, grace 3', () => {
  const state: OccurrenceState = {
    ...{ date: '2026-11-10', isSkipped: false, isMissed: false, paidMinor: null },
    ...{ leastMinor: 4500, leadDays: 5, graceDays: 3 },
  }
  it.each([
    ['2026-11-01', 'upcoming', 'upcoming', 'upcoming'],
    ['2026-11-05', 'due', 'paid', 'partlyPaid'],
    ['2026-11-11', 'grace', 'paid', 'partlyPaid'],
    ['2026-11-14', 'overdue', 'paid', 'overdue'],
  ])('on %s', (today, unpaid, paid, partly) => {
    // Nothing is paid before 4 November.
    const of = (minor: number) => (today < '2026-11-04' ? null : minor)
    expect([
      statusOn(state, today),
      statusOn({ ...state, paidMinor: of(5000) }, today),
      statusOn({ ...state, paidMinor: of(2000) }, today),
    ]).toEqual([unpaid, paid, partly])
  })

  it('is told by what was decided about it', () => {
    const today = '2026-12-01'
    expect(statusOn({ ...state, isSkipped: true }, today)).toBe('skipped')
    expect(statusOn({ ...state, date: null }, today)).toBe('skipped')
    expect(statusOn({ ...state, isMissed: true }, today)).toBe('missed')
    expect(statusOn({ ...state, isMissed: true, paidMinor: 5000 }, today)).toBe('paid')
    expect(statusOn(state, '2026-11-13')).toBe('grace')
    expect(statusOn(state, '2026-11-10')).toBe('due')
    expect(statusOn(state, '2026-11-04')).toBe('upcoming')
  })
})

describe('the balance to come', () => {
  const movements = [
    { date: '2026-04-01', amountMinor: -120_000n },
    { date: '2026-03-28', amountMinor: 300_000n },
    { date: '2026-04-28', amountMinor: 300_000n },
    ...['2026-03-12', '2026-03-26', '2026-04-09', '2026-04-23'].map((date) => ({
      date,
      amountMinor: -4000n,
    })),
  ]
  const now = { today: '2026-03-10', balanceMinor: 50_000n }

  it('has the lowest day', () => {
    const span = ['2026-03-10', '2026-04-30'] as const
    const { days, lowest, belowZeroOn } = outlookFrom(span, now, movements)
    expect(days).toHaveLength(52)
    const balances = new Map(days.map(({ date, balanceMinor }) => [date, balanceMinor]))
    expect(
      ['03-10', '03-11', '03-12', '03-26', '03-28', '04-01', '04-27', '04-28', '04-30'].map((day) =>
        balances.get(`2026-${day}`),
      ),
    ).toEqual([
      50_000n,
      50_000n,
      46_000n,
      42_000n,
      342_000n,
      222_000n,
      214_000n,
      514_000n,
      514_000n,
    ])
    expect(lowest).toEqual({ date: '2026-03-26', balanceMinor: 42_000n })
    expect(belowZeroOn).toBeNull()
  })

  it('counts all that comes before a later span, and has no days in the past', () => {
    const later = outlookFrom(['2026-04-09', '2026-04-10'], now, movements)
    expect(later.days.map(({ balanceMinor }) => balanceMinor)).toEqual([218_000n, 218_000n])
    expect(later.lowest?.date).toBe('2026-04-09')
    expect(outlookFrom(['2026-03-01', '2026-03-11'], now, []).days[0]?.date).toBe('2026-03-10')
    const past = outlookFrom(['2026-03-01', '2026-03-09'], now, movements)
    expect(past).toEqual({ days: [], lowest: null, belowZeroOn: null })
  })

  it('counts what is late tomorrow, and says when it falls below zero', () => {
    const span = ['2026-03-10', '2026-03-12'] as const
    const late = { date: '2026-03-01', amountMinor: -50_001n }
    const { days, lowest, belowZeroOn } = outlookFrom(span, now, [late])
    expect(days.map(({ balanceMinor }) => balanceMinor)).toEqual([50_000n, -1n, -1n])
    expect([lowest?.date, belowZeroOn]).toEqual(['2026-03-11', '2026-03-11'])
    expect(outlookFrom(span, { ...now, balanceMinor: -1n }, []).belowZeroOn).toBe('2026-03-10')
  })
})

describe('series', () => {
  const rowsOf = (gaps: number[], amounts: number[]) => {
    let day = 0
    return amounts.map((amountMinor, at) => {
      day += at === 0 ? 0 : (gaps[at - 1] ?? 0)
      return { day, amountMinor }
    })
  }
  const same = (count: number, minor: number) => Array.from({ length: count }, () => minor)
  const told = (gaps: number[], amounts: number[], after = 10) => {
    const rows = rowsOf(gaps, amounts)
    const series = seriesOf(rows, (rows.at(-1)?.day ?? 0) + after)
    return series && [series.every, series.gapsInBand, series.amountsNear]
  }
  const month = { unit: 'month', count: 1 }

  it.each([
    ['streaming', [31, 30, 31, 31], same(5, 999), [month, 4, 5]],
    ['rent', [31, 30, 33], same(4, 120_000), [month, 3, 4]],
    ['groceries', [8, 5, 11, 7], [2000, 9000, 4100, 6000, 4000], undefined],
    ['two only', [31], same(2, 999), undefined],
    ['power by quarter', [91, 91, 92], same(4, 18_000), [{ unit: 'month', count: 3 }, 3, 4]],
    ['gym, one month missing', [30, 61, 31, 31], same(5, 4000), [month, 3, 5]],
    ['weekly', [7, 7, 8], same(4, 500), [{ unit: 'week', count: 1 }, 3, 4]],
    ['amounts that are all different', [31, 30, 31], [1000, 2000, 4000, 9000], undefined],
    ['gaps of no interval', [20, 20, 20], same(4, 999), undefined],
  ])('%s', (_, gaps, amounts, series) => {
    expect(told(gaps, amounts)).toEqual(series)
  })

  it('ends where the last row is old', () => {
    expect(told([30, 30], same(3, 999), 45)).toBeDefined()
    expect(told([30, 30], same(3, 999), 46)).toBeUndefined()
  })
})

describe('the schedule of a series', () => {
  const scheduled = (dates: string[], unit: 'week' | 'month' | 'year', count = 1) => {
    const series = { every: { unit, count }, medianGap: 0, medianMinor: 0 }
    const { anchor, on } = scheduleOf({ ...series, gapsInBand: 0, amountsNear: 0 }, dates)
    return [anchor, on?.[0]?.day]
  }

  it('is on the day on which most rows are, near the last one', () => {
    expect(scheduled(['2026-01-05', '2026-01-12', '2026-01-20'], 'week')).toEqual([
      '2026-01-19',
      undefined,
    ])
    expect(scheduled(['2026-01-04', '2026-01-18', '2026-01-31'], 'week', 2)[0]).toBe('2026-02-01')
    expect(scheduled(['2025-12-31', '2026-01-31', '2026-02-28'], 'month')).toEqual([
      ...['2026-02-28', 31],
    ])
    expect(scheduled(['2025-11-03', '2025-12-01', '2026-01-01'], 'month')).toEqual([
      '2026-01-01',
      1,
    ])
    expect(scheduled(['2025-11-03', '2025-12-05', '2026-01-04'], 'month')).toEqual([
      '2026-01-05',
      5,
    ])
    expect(scheduled(['2025-06-01', '2025-09-01', '2025-11-30'], 'month', 3)).toEqual([
      ...['2025-12-01', 1],
    ])
    expect(scheduled(['2024-01-02', '2025-01-02', '2025-12-31'], 'year')).toEqual(['2026-01-02', 2])
  })
})
