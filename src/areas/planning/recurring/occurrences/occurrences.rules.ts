import { addDays, type CalendarDate, LAST_DATE } from '../../../../domain/calendar.ts'
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
import type {
  LinkedRow,
  OccurringItem,
  RecurringItem,
  RecurringTransaction,
  StoredOccurrence,
} from '../recurring.rules.ts'

/** An occurrence as it stands. */
export interface OccurrenceView extends Occurrence {
  recurringId: string
  status: OccurrenceStatus
  /** The code of the error for which it was missed. */
  reason: string | null
  /** JSON. */
  changes: string | null
  /** The expected amount, without a sign. */
  amountMinor: number
  currency: string
  paidOn: CalendarDate | null
  paidMinor: number | null
  transactionIds: string[]
}

/** What is stored of the occurrences of one item, by their nominal dates. */
export interface Facts {
  stored: Map<CalendarDate, StoredOccurrence>
  linked: Map<CalendarDate, LinkedRow[]>
}

export function factsById(
  stored: readonly StoredOccurrence[],
  linked: readonly LinkedRow[],
): (id: string) => Facts {
  const storedOf = Map.groupBy(stored, ({ recurringId }) => recurringId)
  const linkedOf = Map.groupBy(linked, ({ recurringId }) => recurringId)
  return (id) => ({
    stored: new Map((storedOf.get(id) ?? []).map((one) => [one.nominalDate, one])),
    linked: Map.groupBy(linkedOf.get(id) ?? [], ({ nominalDate }) => nominalDate),
  })
}

/** The occurrences that are known by more than the schedule. */
export const knownIn = ({ stored, linked }: Facts): Map<CalendarDate, KnownOccurrence> =>
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

/** The transaction of one occurrence with what was changed for it alone. */
export const transactionFor = (
  { transaction }: Pick<RecurringItem, 'transaction'>,
  changes: string | null,
): RecurringTransaction =>
  changes === null
    ? transaction
    : ({
        ...transaction,
        ...(JSON.parse(changes) as Partial<RecurringTransaction>),
      } as RecurringTransaction)

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
export function expectedFor(
  item: Pick<OccurringItem, keyof ExpectedAmount | 'currency'>,
  known: Pick<StoredOccurrence, 'changes' | 'expectedMinor'> | undefined,
): ExpectedAmount {
  const { amountIs, amountMaxMinor, tolerance } = item
  const { amount } = known?.changes ? (JSON.parse(known.changes) as { amount?: string }) : {}
  const changed = amount === undefined ? item.amountMinor : parseMoney(amount, item.currency)
  const amountMinor = known?.expectedMinor ?? changed
  return { amountIs, amountMinor, amountMaxMinor, tolerance }
}

/** 1 for an income, and -1 for what leaves the account. */
export const directionOf = ({ transaction }: Pick<RecurringItem, 'transaction'>): 1 | -1 =>
  transaction.kind === 'income' ? 1 : -1

export function viewOf(
  item: OccurringItem,
  { nominalDate, date }: Occurrence,
  { stored, linked }: Facts,
  today: CalendarDate,
): OccurrenceView {
  const known = stored.get(nominalDate)
  const rows = linked.get(nominalDate) ?? []
  const expected = expectedFor(item, known)
  const paidMinor =
    rows.length === 0
      ? null
      : rows.reduce((sum, { amountMinor }) => sum + directionOf(item) * amountMinor, 0)
  const day = known?.date ?? date
  const state = known?.state ?? null
  return {
    ...{ recurringId: item.id, nominalDate, date: day },
    status: statusOn(
      {
        date: day,
        isSkipped: state === 'skipped' || state === 'booked' || isRested(item, nominalDate, today),
        isMissed: state === 'missed',
        paidMinor,
        // What was booked for it settles it, whatever the amount.
        leastMinor: state === 'booked' ? (paidMinor ?? 0) : leastAmount(expected),
        ...{ leadDays: item.leadDays, graceDays: item.graceDays },
      },
      today,
    ),
    reason: known?.reason ?? null,
    changes: known?.changes ?? null,
    ...{ amountMinor: expected.amountMinor, currency: item.currency },
    paidOn: rows.at(-1)?.date ?? null,
    paidMinor,
    transactionIds: rows.map(({ headerId, kind, line }) => legIdOf(headerId, kind, line)),
  }
}

/** The occurrences of a span of nominal dates. */
export const viewsIn = (
  item: RecurringItem,
  facts: Facts,
  span: Span,
  today: CalendarDate,
): OccurrenceView[] =>
  occurrencesIn(item, knownIn(facts), span).map((one) => viewOf(item, one, facts, today))

const SETTLED: ReadonlySet<OccurrenceStatus> = new Set(['paid', 'skipped', 'missed'])

export const isSettled = ({ status }: OccurrenceView): boolean => SETTLED.has(status)

/** What was not paid for longer is not the next one any more. */
const DAYS_BACK = 366

/** The nominal dates of which facts are needed to find the next occurrence. */
export const spanOfNext = (today: CalendarDate): Span => [addDays(today, -DAYS_BACK), LAST_DATE]

/** The oldest occurrence that is not settled. */
export function nextOf(
  item: RecurringItem,
  facts: Facts,
  today: CalendarDate,
): OccurrenceView | null {
  if (!item.active || item.goneAccounts > 0) {
    return null
  }
  for (const one of scheduledFrom(item, addDays(today, -DAYS_BACK))) {
    const view = viewOf(item, one, facts, today)
    if (!isSettled(view)) {
      return view
    }
  }
  return null
}

/** The occurrence with a nominal date: one of the schedule, or one that is known although the schedule names it no more. */
export const viewNamed = (
  item: RecurringItem,
  facts: Facts,
  nominalDate: CalendarDate,
  today: CalendarDate,
): OccurrenceView | undefined => viewsIn(item, facts, [nominalDate, nominalDate], today)[0]
