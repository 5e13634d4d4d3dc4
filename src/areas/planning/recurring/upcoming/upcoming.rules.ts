import { addDays, nearDay } from '../../../../domain/calendar.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { occurrencesIn, type Span } from '../../../../domain/recurring/occurrences.ts'
import {
  type DatedOccurrence,
  directionOf,
  hasDate,
  isSettled,
  knownIn,
  type OccurrenceView,
  spanOfNext,
  viewOf,
} from '../occurrences/occurrences.rules.ts'
import { type RecurringItem, transactionWith } from '../recurring.rules.ts'

/** Days by which a weekend moves an occurrence at most. */
export const WEEKEND = 2

/** The occurrences that are not settled and take place in a span. Where that includes today, late ones do, too. */
export function unsettledIn(item: RecurringItem, [from, to]: Span): DatedOccurrence[] {
  const isLater = from > item.today
  const known = knownIn(item)
  const [first, last] = [
    isLater ? addDays(from, -WEEKEND) : spanOfNext(item.today)[0],
    nearDay(to, WEEKEND),
  ]
  const movedHere = [...known.values()].filter(
    ({ nominalDate, date }) => date !== null && (nominalDate < first || nominalDate > last),
  )
  return [...occurrencesIn(item, known, [first, last]), ...movedHere]
    .map((one) => viewOf(item, one))
    .filter(hasDate)
    .filter((view) => view.date <= to && !(isLater && view.date < from) && !isSettled(view))
}

/** The amount that is not paid yet, in minor units and without a sign. */
export const unpaidOf = ({ expected, paidMinor }: OccurrenceView): bigint =>
  BigInt(Math.max(0, expected.amountMinor - (paidMinor ?? 0)))

/**
 * The change of an account of an item by an occurrence, in minor units.
 * @returns undefined for an amount that only a rate brings into the currency of the account
 */
export function changeOf(
  view: OccurrenceView,
  account: { id: string; currency: string },
): bigint | undefined {
  const { item } = view
  const unpaid = unpaidOf(view)
  if (item.accountId === account.id) {
    return BigInt(directionOf(item)) * unpaid
  }
  const transaction = transactionWith(item.transaction, view.changes)
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
  return (-BigInt(directionOf(item)) * whole * unpaid) / BigInt(view.expected.amountMinor)
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
