import { type CalendarDate, dateInZone, daysBetween } from '../../../../domain/calendar.ts'
import { type DaySpan, NAMED_PERIODS, namedPeriod } from '../../../../domain/named-periods.ts'
import type { Pooling } from '../../../../domain/reports/cells.ts'
import {
  daysOf,
  hullOf,
  isLongerThan,
  isOfMonths,
  type KeptRange,
  monthsAndDaysOf,
  type ReportInterval,
} from '../../../../domain/reports/intervals.ts'
import { reportErrors } from '../reports.errors.ts'

/** What all reports of flows are asked with. */
export interface FlowsRequest {
  from?: CalendarDate | undefined
  to?: CalendarDate | undefined
  /** The name of a period; without days and without a name, this month. */
  period?: string | undefined
  interval?: ReportInterval | undefined
  /** `none` for each currency by itself; the base currency of the caller if left out. */
  currency?: string | undefined
  accountIds?: readonly string[] | undefined
}

/** The dimensions that a spending report can be broken down by. */
export const BREAKDOWNS = ['category', 'payee', 'tag', 'account', 'member'] as const
export type Breakdown = (typeof BREAKDOWNS)[number]

/** The limits of a report: it is refused rather than cut. */
export const REPORT_LIMITS = {
  ...{ years: 50, days: 400, amounts: 20_000, lines: 25_000 },
  /** Rows times intervals times currencies. */
  figures: 120_000,
}

export function requireFigures(figures: number): void {
  if (figures > REPORT_LIMITS.figures) {
    const remedy = 'Choose a longer interval, a shorter span, or one currency.'
    throw reportErrors.tooManyPoints({ most: '120,000 figures', remedy }, { field: 'interval' })
  }
}

const spanInvalid = (problem: string, field: string) =>
  reportErrors.spanInvalid({ problem }, { field })

/**
 * Returns the span of a report on a day.
 * @throws AppError `reports.spanInvalid`
 */
export function spanOn({ from, to, period }: FlowsRequest, today: CalendarDate): DaySpan {
  if (period !== undefined && (from !== undefined || to !== undefined)) {
    throw spanInvalid('send either period, or from and to', 'period')
  }
  if (from === undefined && to === undefined) {
    const named = namedPeriod(period ?? 'thisMonth')
    if (!named) {
      throw spanInvalid(
        `period must be one of ${NAMED_PERIODS.join(', ')}, a year such as 2026, a quarter such as 2026-Q3, or a month such as 2026-03`,
        'period',
      )
    }
    return named(today)
  }
  if (from === undefined || to === undefined) {
    throw spanInvalid('from and to go together', from === undefined ? 'from' : 'to')
  }
  if (from > to) {
    throw spanInvalid('to must not be before from', 'to')
  }
  return { from, to }
}

/** The zones in which the day is the least and the greatest. */
const ZONES = ['Etc/GMT+12', 'UTC', 'Etc/GMT-14']

/**
 * The spans that a report may have, as the zone of the caller is known only once something is read.
 * @throws AppError `reports.spanInvalid`, `reports.spanTooLong` or `reports.tooManyPoints`
 */
export function spansNear(asked: FlowsRequest, now: number): DaySpan[] {
  const days = new Set(ZONES.map((zone) => dateInZone(now, zone)))
  const all = [...days].map((day) => spanOn(asked, day))
  const spans = [...new Map(all.map((span) => [`${span.from} ${span.to}`, span])).values()]
  const [longest] = spans.toSorted((a, b) => daysBetween(b.from, b.to) - daysBetween(a.from, a.to))
  if (longest) {
    requireShort(longest, asked.interval)
  }
  return spans
}

function requireShort(span: DaySpan, interval: ReportInterval | undefined): void {
  const days = daysBetween(span.from, span.to) + 1
  if (interval !== undefined && !isOfMonths(interval) && days > REPORT_LIMITS.days) {
    throw reportErrors.spanTooLong({ most: REPORT_LIMITS.days, days }, { field: 'interval' })
  }
  if (isLongerThan(span, REPORT_LIMITS.years)) {
    const most = `${REPORT_LIMITS.years} years`
    const remedy = `Choose a span of at most ${most}.`
    throw reportErrors.tooManyPoints({ most, remedy }, { field: 'to' })
  }
}

/** The kept sums that a report needs of accounts in its currency, and of others, which are converted by day. */
export interface FlowsReading {
  own: KeptRange[]
  foreign: KeptRange[]
  hull: DaySpan
  /** How sums of the caller’s accounts in its currency are joined. They are not if several spans may be meant. */
  joined: Pooling['by'] | undefined
}

export function readingOf(
  spans: readonly DaySpan[],
  interval: ReportInterval | undefined,
  { byAccount = false } = {},
): FlowsReading {
  const isOfDays = interval !== undefined && !isOfMonths(interval)
  return {
    own: isOfDays ? daysOf(spans) : monthsAndDaysOf(spans),
    foreign: daysOf(spans),
    hull: hullOf(spans),
    joined:
      byAccount || isOfDays || spans.length > 1
        ? undefined
        : interval === undefined
          ? 'span'
          : 'month',
  }
}

/** A category as reports need it. */
export interface ReportCategory {
  id: string
  parentId: string | null
  name: string
  isOwn: 0 | 1
  isExcluded: 0 | 1
}

/**
 * Finds the categories that are excluded from reports, or below one that is, and those that may be named, each with the nearest
 * such category above it: of other owners only the ones with a line that the caller sees.
 */
export function categoriesIn(
  categories: readonly ReportCategory[],
  used: ReadonlySet<string>,
): {
  isExcluded: (id: string) => boolean
  named: Map<string, { name: string; parentId: string | null }>
} {
  const byId = new Map(categories.map((one) => [one.id, one]))
  const above = (one: ReportCategory) =>
    one.parentId === null ? undefined : byId.get(one.parentId)
  const isExcluded = (one: ReportCategory | undefined): boolean =>
    one !== undefined && (one.isExcluded === 1 || isExcluded(above(one)))
  const isNamed = ({ id, isOwn }: ReportCategory) => isOwn === 1 || used.has(id)
  const parentOf = (one: ReportCategory): string | null => {
    const parent = above(one)
    return parent === undefined || isNamed(parent) ? (parent?.id ?? null) : parentOf(parent)
  }
  return {
    isExcluded: (id) => isExcluded(byId.get(id)),
    named: new Map(
      categories
        .filter(isNamed)
        .map((one) => [one.id, { name: one.name, parentId: parentOf(one) }]),
    ),
  }
}
