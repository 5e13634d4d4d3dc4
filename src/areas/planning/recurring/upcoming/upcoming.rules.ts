import { addDays, type CalendarDate, nearDay } from '../../../../domain/calendar.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { occurrencesIn, type Span } from '../../../../domain/recurring/occurrences.ts'
import {
  directionOf,
  type Facts,
  isSettled,
  knownIn,
  type OccurrenceView,
  spanOfNext,
  transactionFor,
  viewOf,
} from '../occurrences/occurrences.rules.ts'
import type { OccurringItem, RecurringItem } from '../recurring.rules.ts'

/** An occurrence that is not settled, with the item that it is of. */
export interface UpcomingOccurrence<Item = RecurringItem> {
  item: Item
  view: OccurrenceView
  date: CalendarDate
}

/** Days by which a weekend moves an occurrence at most. */
const WEEKEND = 2

/** The occurrences that are not settled and take place in a span. Where that includes today, late ones do, too. */
export function unsettledIn<Item extends OccurringItem>(
  item: Item,
  facts: Facts,
  [from, to]: Span,
  today: CalendarDate,
): UpcomingOccurrence<Item>[] {
  const isLater = from > today
  const known = knownIn(facts)
  const [first, last] = [
    isLater ? addDays(from, -WEEKEND) : spanOfNext(today)[0],
    nearDay(to, WEEKEND),
  ]
  const movedHere = [...known.values()].filter(
    ({ nominalDate, date }) => date !== null && (nominalDate < first || nominalDate > last),
  )
  return [...occurrencesIn(item, known, [first, last]), ...movedHere].flatMap((one) => {
    const view = viewOf(item, one, facts, today)
    const { date } = view
    const isThere = date !== null && date <= to && !(isLater && date < from)
    return isThere && !isSettled(view) ? [{ item, view, date }] : []
  })
}

/** The amount that is not paid yet, in minor units and without a sign. */
export const unpaidOf = ({ amountMinor, paidMinor }: OccurrenceView): bigint =>
  BigInt(Math.max(0, amountMinor - (paidMinor ?? 0)))

/**
 * The change of an account of an item by an occurrence, in minor units.
 * @returns undefined for an amount that only a rate brings into the currency of the account
 */
export function changeOf(
  { item, view }: UpcomingOccurrence,
  account: { id: string; currency: string },
): bigint | undefined {
  const unpaid = unpaidOf(view)
  if (item.accountId === account.id) {
    return BigInt(directionOf(item)) * unpaid
  }
  const transaction = transactionFor(item, view.changes)
  const minorOf = (amount: string, inOther?: string): bigint | undefined => {
    const isSame = item.currency === account.currency
    const said = inOther ?? (isSame ? amount : undefined)
    return said === undefined ? undefined : BigInt(parseMoney(said, account.currency))
  }
  const arriving =
    transaction.kind === 'transfer'
      ? [minorOf(transaction.amount, transaction.toAmount), ...feesOf(transaction, minorOf)]
      : (transaction.splits ?? [])
          .filter(({ transferAccountId }) => transferAccountId === account.id)
          .map(({ amount, transferAmount }) => minorOf(amount, transferAmount))
  if (arriving.some((minor) => minor === undefined)) {
    return undefined
  }
  const whole = arriving.reduce<bigint>((sum, minor) => sum + (minor ?? 0n), 0n)
  return (-BigInt(directionOf(item)) * whole * unpaid) / BigInt(view.amountMinor)
}

/** Fees are part of the amount that leaves, so less arrives where nobody says how much. */
const feesOf = (
  {
    toAmount,
    fees = [],
  }: { toAmount?: string | undefined; fees?: { amount: string }[] | undefined },
  minorOf: (amount: string) => bigint | undefined,
): (bigint | undefined)[] =>
  toAmount === undefined ? fees.map(({ amount }) => -(minorOf(amount) ?? 0n)) : []

/** Sums by currency. */
export interface UpcomingTotals {
  currency: string
  in: bigint
  out: bigint
}

/** The sums of what is not paid yet; what moves between own accounts is neither in nor out. */
export function totalsOfUpcoming(occurrences: readonly UpcomingOccurrence[]): UpcomingTotals[] {
  const sums = new Map<string, UpcomingTotals>()
  for (const { item, view } of occurrences) {
    const { currency } = item
    const { kind } = item.transaction
    const sum = sums.get(currency) ?? { currency, in: 0n, out: 0n }
    sum.in += kind === 'income' ? unpaidOf(view) : 0n
    sum.out += kind === 'expense' ? unpaidOf(view) : 0n
    sums.set(currency, sum)
  }
  return [...sums.values()].toSorted((a, b) => (a.currency < b.currency ? -1 : 1))
}
