import { addDays, type CalendarDate, dayOfWeek, daysBetween } from '../../../../domain/calendar.ts'
import { findCurrency } from '../../../../domain/currency.ts'

/** The first day of the bank's reference rates. */
const FIRST_DAY = '1999-01-04'
const SATURDAY = 5

/** A currency whose rates are needed from a day on. */
export interface Need {
  currency: string
  from: CalendarDate
}

export interface Span {
  from: CalendarDate
  through: CalendarDate
}

/** Days of which it is known whether the bank has a rate. */
export interface CoveredSpan extends Span {
  currency: string
  state: 'read' | 'none'
}

/** The days of each currency that are needed and not covered, in order. */
export type Gaps = ReadonlyMap<string, readonly [Span, ...Span[]]>

/**
 * The days that are needed and not covered, up to the newest one that the bank has published. Weekends alone are no gap, as nothing
 * is published then, and after the day of its fixed rate a currency needs no other.
 */
export function gapsOf(needs: Need[], covered: CoveredSpan[], newest: CalendarDate): Gaps {
  const byCurrency = Map.groupBy(covered, ({ currency }) => currency)
  const gaps = needs.map(({ currency, from }) => {
    const end = findCurrency(currency)?.succeededBy?.on
    const last = end === undefined ? newest : earlier(newest, addDays(end, -1))
    return { currency, found: gapsWithin({ from, through: last }, byCurrency.get(currency) ?? []) }
  })
  return new Map(
    gaps.flatMap(({ currency, found: [first, ...others] }) =>
      first ? [[currency, [first, ...others]]] : [],
    ),
  )
}

function gapsWithin({ from, through }: Span, covered: Span[]): Span[] {
  const gaps: Span[] = []
  let next = from > FIRST_DAY ? from : FIRST_DAY
  for (const span of covered.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    gaps.push({ from: next, through: earlier(through, addDays(span.from, -1)) })
    next = span.through < next ? next : addDays(span.through, 1)
  }
  return [...gaps, { from: next, through }].filter(hasWorkday)
}

const hasWorkday = ({ from, through }: Span) =>
  from <= through &&
  (dayOfWeek(from) < SATURDAY || daysBetween(from, through) > 6 - dayOfWeek(from))

const earlier = (one: CalendarDate, other: CalendarDate) => (one < other ? one : other)
