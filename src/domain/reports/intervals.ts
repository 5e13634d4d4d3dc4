import { addDays, type CalendarDate, firstOfMonth, lastOfMonth, monthOf } from '../calendar.ts'
import { type DaySpan, monthsAt, quarterAt, weekAt, yearAt } from '../named-periods.ts'

/** The intervals of reports and of series of balances. Weeks begin on Monday. */
export const REPORT_INTERVALS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type ReportInterval = (typeof REPORT_INTERVALS)[number]

const AT: Record<ReportInterval, (day: CalendarDate) => DaySpan> = {
  day: (day) => ({ from: day, to: day }),
  week: (day) => weekAt(day, 0),
  month: (day) => monthsAt(day, 0, 1),
  quarter: (day) => quarterAt(day, 0),
  year: (day) => yearAt(day, 0),
}

/** The interval in which a day lies. */
export const intervalAt = (day: CalendarDate, interval: ReportInterval): DaySpan =>
  AT[interval](day)

/** True if the intervals consist of whole months. */
export const isOfMonths = (interval: ReportInterval): boolean =>
  interval !== 'day' && interval !== 'week'

/** The part of an interval that a span has. */
export interface ReportPeriod extends DaySpan {
  /** True if the span cuts the interval. */
  partial: boolean
}

/** Every interval with a day in a span, oldest first; without an interval, the span alone. */
export function periodsOf(span: DaySpan, interval: ReportInterval | undefined): ReportPeriod[] {
  if (interval === undefined) {
    return [{ ...span, partial: false }]
  }
  const periods: ReportPeriod[] = []
  for (let at = intervalAt(span.from, interval); ; at = intervalAt(addDays(at.to, 1), interval)) {
    const from = at.from < span.from ? span.from : at.from
    const to = at.to > span.to ? span.to : at.to
    periods.push({ from, to, partial: from !== at.from || to !== at.to })
    if (at.to >= span.to) {
      return periods
    }
  }
}

/** Tells the index of the period that contains a day, or undefined outside of all. They follow each other. */
export function periodIndexIn(
  periods: readonly DaySpan[],
): (day: CalendarDate) => number | undefined {
  const known = new Map<CalendarDate, number>()
  return (day) => {
    let at = known.get(day)
    if (at === undefined) {
      at = periods.findIndex(({ from, to }) => from <= day && day <= to)
      known.set(day, at)
    }
    return at === -1 ? undefined : at
  }
}

/** Sums of whole months or of days that are kept, from `low` up to but without `high`, as texts. */
export interface KeptRange {
  grain: 'day' | 'month'
  low: string
  high: string
}

/** Behind all days of a month, and before the next month. */
const BEHIND = '~'

/** The first and the last day of several spans. */
export const hullOf = (spans: readonly DaySpan[]): DaySpan => ({
  from: spans.map(({ from }) => from).toSorted()[0] ?? '',
  to:
    spans
      .map(({ to }) => to)
      .toSorted()
      .at(-1) ?? '',
})

/** The kept days of spans. */
export function daysOf(spans: readonly DaySpan[]): KeptRange[] {
  const { from, to } = hullOf(spans)
  return [{ grain: 'day', low: from, high: to + BEHIND }]
}

/** The kept months of spans, and the days of each month that one of the spans cuts. */
export function monthsAndDaysOf(spans: readonly DaySpan[]): KeptRange[] {
  const { from, to } = hullOf(spans)
  const ends = spans.flatMap((span) => [
    ...(span.from === firstOfMonth(span.from) ? [] : [monthOf(span.from)]),
    ...(span.to === lastOfMonth(span.to) ? [] : [monthOf(span.to)]),
  ])
  const cut = [...new Set(ends)].toSorted()
  const lows = [monthOf(from), ...cut.map((month) => month + BEHIND)]
  const highs = [...cut, monthOf(to) + BEHIND]
  return [
    ...lows.map((low, at): KeptRange => ({ grain: 'month', low, high: String(highs[at]) })),
    ...cut.map((month): KeptRange => ({
      grain: 'day',
      low: from > month ? from : month,
      high: (to < month + BEHIND ? to : month) + BEHIND,
    })),
  ].filter(({ low, high }) => low < high)
}

/** True if a span is longer than so many years. */
export const isLongerThan = ({ from, to }: DaySpan, years: number): boolean =>
  to >= `${Number(from.slice(0, 4)) + years}${from.slice(4)}`
