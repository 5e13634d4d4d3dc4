import {
  addDays,
  addMonths,
  type CalendarDate,
  dayOfMonthOf,
  dayOfWeek,
  daysBetween,
  firstOfMonth,
  lastOfMonth,
} from '../calendar.ts'
import type { Interval } from '../schedules/intervals.ts'
import { PLAIN_SCHEDULE, type Schedule } from '../schedules/schedules.ts'

/** A row of a series that may come again: a day number, and an amount in minor units without a sign. */
export interface SeriesRow {
  day: number
  amountMinor: number
}

interface Band {
  days: number
  tolerance: number
  every: Pick<Interval, 'unit' | 'count'>
}

const BANDS: Band[] = [
  { days: 7, tolerance: 1, every: { unit: 'week', count: 1 } },
  { days: 14, tolerance: 2, every: { unit: 'week', count: 2 } },
  { days: 30.4, tolerance: 5, every: { unit: 'month', count: 1 } },
  { days: 91.3, tolerance: 8, every: { unit: 'month', count: 3 } },
  { days: 182.6, tolerance: 12, every: { unit: 'month', count: 6 } },
  { days: 365.2, tolerance: 15, every: { unit: 'year', count: 1 } },
]

const LEAST_ROWS = 3
/** Of the gaps and of the amounts. */
const LEAST_SHARE = 0.75
/** Of the median amount. */
const NEAR = 0.25
/** The age of the last row, in median gaps. */
const OLDEST_LAST = 1.5

/** The interval at which rows come again, and what tells it. */
export interface Series {
  every: Pick<Interval, 'unit' | 'count'>
  medianGap: number
  medianMinor: number
  gapsInBand: number
  amountsNear: number
}

/**
 * The interval at which rows come again; undefined where they are no series.
 * @param rows oldest first
 */
export function seriesOf(rows: readonly SeriesRow[], today: number): Series | undefined {
  const last = rows.at(-1)
  if (!last || rows.length < LEAST_ROWS) {
    return undefined
  }
  const gaps = rows.slice(1).map(({ day }, at) => day - (rows[at] as SeriesRow).day)
  const medianGap = medianOf(gaps)
  const medianMinor = medianOf(rows.map(({ amountMinor }) => amountMinor))
  const isIn = (gap: number, band: Band) => Math.abs(gap - band.days) <= band.tolerance
  const band = BANDS.find((one) => isIn(medianGap, one))
  if (!band || today - last.day > OLDEST_LAST * medianGap) {
    return undefined
  }
  const gapsInBand = gaps.filter((gap) => isIn(gap, band)).length
  const amountsNear = rows.filter(
    ({ amountMinor }) => Math.abs(amountMinor - medianMinor) <= NEAR * medianMinor,
  ).length
  const isSeries =
    gapsInBand >= LEAST_SHARE * gaps.length && amountsNear >= LEAST_SHARE * rows.length
  return isSeries
    ? { every: band.every, medianGap, medianMinor, gapsInBand, amountsNear }
    : undefined
}

/** The middle one; of an even number, the mean of the two in the middle. */
function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const [below, above] = [Math.floor(middle), Math.ceil(middle)].map((at) => sorted[at]) as [
    number,
    number,
  ]
  return (below + above) / 2
}

/**
 * The schedule of a series: on the day of the week or the month on which most of its rows are. Its anchor is the nominal date of the
 * last row.
 * @param dates of its rows, oldest first: at least one
 */
export function scheduleOf({ every }: Series, dates: readonly CalendarDate[]): Schedule {
  const last = dates.at(-1) as CalendarDate
  if (every.unit === 'week') {
    const days = mostFrequent(dates.map(dayOfWeek)) - dayOfWeek(last)
    const anchor = addDays(last, ((days + 10) % 7) - 3)
    return { ...PLAIN_SCHEDULE, ...every, anchor }
  }
  const day = mostFrequent(dates.map(dayOfMonthOf))
  const [anchor] = [-1, 0, 1]
    .map((months) => addMonths(firstOfMonth(last), months))
    .map((first) => addDays(first, Math.min(day, dayOfMonthOf(lastOfMonth(first))) - 1))
    .toSorted((a, b) => Math.abs(daysBetween(a, last)) - Math.abs(daysBetween(b, last))) as [
    CalendarDate,
  ]
  return { ...PLAIN_SCHEDULE, ...every, anchor, on: [{ day }] }
}

/** Of several that are as frequent, the largest: the end of a month is on different days. */
function mostFrequent(numbers: readonly number[]): number {
  const byNumber = Map.groupBy(numbers, (number) => number)
  const [[number]] = [...byNumber].toSorted(
    ([a, these], [b, those]) => those.length - these.length || b - a,
  ) as [[number, number[]]]
  return number
}
