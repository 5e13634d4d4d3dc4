import {
  addDays,
  type CalendarDate,
  daysBetween,
  lastOfMonth,
  monthOf,
} from '../../../../domain/calendar.ts'
import type { AppError, ErrorDetail } from '../../../../domain/errors.ts'

export const INTERVALS = ['day', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** More points than a client can draw are a mistake. */
const MOST_POINTS = 1000

export interface Span {
  from: CalendarDate
  to: CalendarDate
  interval: Interval
}

// A Monday; weeks are those of ISO 8601.
const SOME_MONDAY: CalendarDate = '2024-01-01'

/** The last day of the interval in which a day lies. */
function endOf(date: CalendarDate, interval: Interval): CalendarDate {
  if (interval === 'month') {
    return lastOfMonth(date)
  }
  const weekday = ((daysBetween(SOME_MONDAY, date) % 7) + 7) % 7
  return interval === 'week' ? addDays(date, 6 - weekday) : date
}

/** The last days of all intervals that a span touches, the last one cut off at its end; at most `most`. */
export function pointsOf(span: Span, most: number): CalendarDate[] {
  const points: CalendarDate[] = []
  let day = span.from
  while (day <= span.to && points.length < most) {
    const end = endOf(day, span.interval)
    points.push(end < span.to ? end : span.to)
    if (end >= span.to) {
      break
    }
    day = addDays(end, 1)
  }
  return points
}

/** The points of a span, one at least; refuses one that has more points than are drawn. The schema refuses what is reversed. */
export function requirePoints(
  span: Span,
  errors: Record<'tooManyPoints', (detail: ErrorDetail) => AppError>,
): [CalendarDate, ...CalendarDate[]] {
  const [first, ...rest] = pointsOf(span, MOST_POINTS + 1)
  if (first === undefined) {
    throw new RangeError('requirePoints: the span ends before it begins')
  }
  if (rest.length >= MOST_POINTS) {
    throw errors.tooManyPoints({ field: 'interval' })
  }
  return [first, ...rest]
}

/** The movements of one day or of a whole month. */
interface Movement {
  /** `YYYY-MM-DD` or `YYYY-MM`. */
  period: string
  minor: bigint
}

/**
 * The balance at the end of each point's day.
 * @param start the balance before the first movement
 * @param movements in order; of whole months only where points are the ends of months
 */
export function balancesAt(
  points: CalendarDate[],
  start: bigint,
  movements: Movement[],
): { date: CalendarDate; minor: bigint }[] {
  let minor = start
  let next = 0
  return points.map((date) => {
    for (let one = movements[next]; one && isUpTo(one.period, date); one = movements[++next]) {
      minor += one.minor
    }
    return { date, minor }
  })
}

const isUpTo = (period: string, date: CalendarDate) =>
  period.length === date.length ? period <= date : period <= monthOf(date)
