import {
  addDays,
  type CalendarDate,
  daysBetween,
  LAST_DATE,
  nearDay,
} from '../../../../domain/calendar.ts'
import type { AppError } from '../../../../domain/errors.ts'
import { legIdOf } from '../../../../domain/ledger-ids.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { type ExpectedAmount, leastAmount } from '../../../../domain/recurring/amounts.ts'
import {
  isRested,
  type KnownOccurrence,
  occurrencesIn,
  scheduledFrom,
  type Span,
} from '../../../../domain/recurring/occurrences.ts'
import { type OccurrenceStatus, statusOn } from '../../../../domain/recurring/status.ts'
import type { Occurrence } from '../../../../domain/schedules/schedules.ts'
import { recurringErrors } from '../recurring.errors.ts'
import { isResting, type RecurringItem, type StoredOccurrence } from '../recurring.rules.ts'

/** An occurrence as it stands today. */
export interface OccurrenceView extends Occurrence {
  item: RecurringItem
  /** What is stored of it. */
  known: StoredOccurrence | undefined
  status: OccurrenceStatus
  /** JSON. */
  changes: string | null
  expected: ExpectedAmount
  paidOn: CalendarDate | null
  paidMinor: number | null
  transactionIds: string[]
}

/** One that takes place on a day. */
export type DatedOccurrence = OccurrenceView & { date: CalendarDate }

export const hasDate = (view: OccurrenceView): view is DatedOccurrence => view.date !== null

/** The occurrences that are known by more than the schedule. */
export const knownIn = ({
  stored,
  linked,
}: Pick<RecurringItem, 'stored' | 'linked'>): Map<CalendarDate, KnownOccurrence> =>
  new Map(
    [...stored.keys(), ...linked.keys()].map((nominalDate) => {
      const { date = null, state = null, told = false } = stored.get(nominalDate) ?? {}
      // What has a transaction is done.
      return [
        nominalDate,
        { nominalDate, date, state: linked.has(nominalDate) ? 'booked' : state, told },
      ]
    }),
  )

/** The fields that only one of the kinds has. */
const ONLY_OF = {
  transfer: ['toAmount', 'fees'],
  single: [
    'time',
    'originalAmount',
    'originalCurrency',
    'payeeRaw',
    'payeeId',
    'reviewed',
    'location',
    'metadata',
    'private',
    'splits',
  ],
}

/**
 * The changes of an occurrence with those that are sent; a field of null is taken back.
 * @throws AppError `recurring.otherKind` for a field that such a transaction does not have
 */
export function changesWith(
  { transaction }: RecurringItem,
  before: string | null,
  sent: Record<string, unknown>,
): Record<string, unknown> {
  const others = transaction.kind === 'transfer' ? ONLY_OF.single : ONLY_OF.transfer
  const other = Object.keys(sent).find((field) => others.includes(field))
  if (other !== undefined) {
    throw recurringErrors.otherKind({ field: `changes.${other}` })
  }
  const all = { ...(before === null ? {} : (JSON.parse(before) as object)), ...sent }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
}

/** The amounts that fit one occurrence, as it stands or as it stood when it was settled. */
function expectedFor(item: RecurringItem, known: StoredOccurrence | undefined): ExpectedAmount {
  const { amountIs, amountMaxMinor, tolerance } = item
  const { amount } = known?.changes ? (JSON.parse(known.changes) as { amount?: string }) : {}
  const changed = amount === undefined ? item.amountMinor : parseMoney(amount, item.currency)
  const amountMinor = known?.expectedMinor ?? changed
  return { amountIs, amountMinor, amountMaxMinor, tolerance }
}

/** 1 for an income, and -1 for what leaves the account. */
export const directionOf = ({ transaction }: Pick<RecurringItem, 'transaction'>): 1 | -1 =>
  transaction.kind === 'income' ? 1 : -1

export function viewOf(item: RecurringItem, { nominalDate, date }: Occurrence): OccurrenceView {
  const { today, leadDays, graceDays } = item
  const known = item.stored.get(nominalDate)
  const rows = item.linked.get(nominalDate) ?? []
  const expected = expectedFor(item, known)
  const paidMinor =
    rows.length === 0
      ? null
      : rows.reduce((sum, { amountMinor }) => sum + directionOf(item) * amountMinor, 0)
  const day = known?.date ?? date
  const { state = null, changes = null } = known ?? {}
  const status = statusOn(
    {
      date: day,
      isSkipped: state === 'skipped' || state === 'booked' || isRested(item, nominalDate, today),
      isMissed: state === 'missed',
      paidMinor,
      // What was booked for it settles it, whatever the amount.
      leastMinor: state === 'booked' ? (paidMinor ?? 0) : leastAmount(expected),
      ...{ leadDays, graceDays },
    },
    today,
  )
  return {
    ...{ item, nominalDate, date: day, known, status, changes, expected, paidMinor },
    paidOn: rows.at(-1)?.date ?? null,
    transactionIds: rows.map(({ headerId, kind, line }) => legIdOf(headerId, kind, line)),
  }
}

/** The occurrences of a span of nominal dates. */
export const viewsIn = (item: RecurringItem, span: Span): OccurrenceView[] =>
  occurrencesIn(item, knownIn(item), span).map((one) => viewOf(item, one))

/** The occurrence with a nominal date: one of the schedule, or one that is known although the schedule names it no more. */
export const viewNamed = (
  item: RecurringItem,
  nominalDate: CalendarDate,
): OccurrenceView | undefined => viewsIn(item, [nominalDate, nominalDate])[0]

/** The most days to the nominal date that an error suggests. */
const DAYS_TO_NEAREST = 366

/** The error of a day that is no nominal date, such as one that an occurrence was moved to: it names the nearest nominal date. */
export function noSuchOccurrence(item: RecurringItem, day: CalendarDate): AppError {
  const span: Span = [nearDay(day, -DAYS_TO_NEAREST), nearDay(day, DAYS_TO_NEAREST)]
  const distance = (date: CalendarDate) => Math.abs(daysBetween(date, day))
  const [nearest] = occurrencesIn(item, new Map(), span)
    .map((one) => one.nominalDate)
    .toSorted((a, b) => distance(a) - distance(b))
  const hint = nearest === undefined ? '' : ` The nearest nominal date is ${nearest}.`
  return recurringErrors.noSuchOccurrence({ nominalDate: day, hint })
}

const SETTLED: ReadonlySet<OccurrenceStatus> = new Set(['paid', 'skipped', 'missed'])

export const isSettled = ({ status }: OccurrenceView): boolean => SETTLED.has(status)

/** True if a transaction was booked for it, be it in the trash, or is linked to it. */
export const isBooked = ({ known, transactionIds }: OccurrenceView): boolean =>
  known?.state === 'booked' || transactionIds.length > 0

/** What was not paid for longer is not the next one any more. */
const DAYS_BACK = 366

/** The nominal dates of which facts are needed to find the next occurrence. */
export const spanOfNext = (today: CalendarDate): Span => [addDays(today, -DAYS_BACK), LAST_DATE]

/** The oldest occurrence that is not settled. */
export function nextOf(item: RecurringItem): OccurrenceView | null {
  if (isResting(item)) {
    return null
  }
  for (const one of scheduledFrom(item, addDays(item.today, -DAYS_BACK))) {
    const view = viewOf(item, one)
    if (!isSettled(view)) {
      return view
    }
  }
  return null
}

const DAYS_OF_YEAR = 365

/** The expected amount of the next 365 days, in minor units. */
export function perYearOf(item: RecurringItem): bigint {
  if (isResting(item)) {
    return 0n
  }
  const span: Span = [item.today, addDays(item.today, DAYS_OF_YEAR - 1)]
  const inYear = occurrencesIn(item, new Map(), span).filter(({ date }) => date !== null)
  return BigInt(item.amountMinor) * BigInt(inYear.length)
}

/** As many as `times` of a schedule says at most. */
const MOST_LEFT = 2000

/** The number of occurrences from today on; null where they do not end, or are too many to be counted. */
export function occurrencesLeft(item: RecurringItem): number | null {
  if (item.schedule === null || isResting(item)) {
    return 0
  }
  const { until, times } = item.schedule
  if (until === undefined && times === undefined) {
    return null
  }
  const { length } = scheduledFrom(item, item.today)
    .take(MOST_LEFT + 1)
    .toArray()
  return length > MOST_LEFT ? null : length
}

/** Sums of a currency, in minor units. */
export interface Totals {
  currency: string
  in: bigint
  out: bigint
}

/** The sums by currency of amounts of items; what moves between own accounts is neither in nor out. */
export function totalsOf(amounts: readonly { item: RecurringItem; minor: bigint }[]): Totals[] {
  const sums = new Map<string, Totals>()
  for (const { item, minor } of amounts) {
    const { currency, transaction } = item
    const sum = sums.get(currency) ?? { currency, in: 0n, out: 0n }
    sum.in += transaction.kind === 'income' ? minor : 0n
    sum.out += transaction.kind === 'expense' ? minor : 0n
    sums.set(currency, sum)
  }
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
