import { type CalendarDate, monthNumberOf } from '../calendar.ts'
import type { ReportInterval } from '../reports/intervals.ts'

// The positions of labels on the two axes of a chart.

const PER_YEAR: Partial<Record<ReportInterval, number>> = { month: 12, quarter: 4, year: 1 }

/** Round numbers of days, weeks or years between labels. */
const ROUND_STEPS = [1, 2, 5, 10, 20, 50, 100]
const PARTS_OF_YEAR = [1, 2, 3, 6]

/** The parts of a year that begin at the same months every year, and then whole years. */
const stepsOf = (perYear: number | undefined): number[] =>
  perYear === undefined
    ? ROUND_STEPS
    : [
        ...PARTS_OF_YEAR.filter((step) => step < perYear && perYear % step === 0),
        ...ROUND_STEPS.map((years) => years * perYear),
      ]

function labelOf(date: CalendarDate, interval: ReportInterval, isByYear: boolean): string {
  const year = date.slice(0, 4)
  if (isByYear) {
    return year
  }
  if (interval === 'quarter') {
    return `${year}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`
  }
  return interval === 'month' ? date.slice(0, 7) : date
}

/**
 * Names as many intervals as there is place for, at regular steps. Each label has the index of its interval.
 * @param dates a day of each interval
 * @param fits tells if texts like this one fit at every so many intervals
 */
export function dateLabels(
  dates: readonly CalendarDate[],
  interval: ReportInterval,
  fits: (text: string, every: number) => boolean,
): { at: number; text: string }[] {
  const perYear = PER_YEAR[interval]
  const isByYear = (every: number) => perYear !== undefined && every >= perYear
  const [first = ''] = dates
  const every =
    stepsOf(perYear).find((step) => fits(labelOf(first, interval, isByYear(step)), step)) ??
    dates.length
  // Labels of months, quarters and years stand where a year begins.
  const ordinal = (date: CalendarDate, at: number) =>
    perYear === undefined ? at : Math.floor((monthNumberOf(date) - 1) / (12 / perYear))
  return dates.flatMap((date, at) =>
    ordinal(date, at) % every === 0 ? [{ at, text: labelOf(date, interval, isByYear(every)) }] : [],
  )
}

const MOST_STEPS = 6

/** Round numbers from the least value, or zero, to the greatest: `step` has one digit, which is 1, 2 or 5. */
export function valueTicks(values: readonly number[]): number[] {
  const least = values.reduce((one, other) => Math.min(one, other), 0)
  const most = values.reduce((one, other) => Math.max(one, other), 0)
  const wanted = Math.max(1, (most - least) / MOST_STEPS)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = power * ([1, 2, 5].find((digit) => digit * power >= wanted) ?? 10)
  const [first, last] = [Math.floor(least / step), Math.ceil(most / step)]
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}
