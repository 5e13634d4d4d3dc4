import { isSameBooking } from '../../../../domain/comparing.ts'
import { MOST_TAGS } from '../../../../domain/ledger-ids.ts'
import { singleEntries } from '../../../../domain/ledger.ts'
import { parseMoney } from '../../../../domain/money.ts'
import {
  isSameLabels,
  labelsAt,
  labelsFrom,
  labelsOf,
  WHOLE,
} from '../../../../ledger/labels/labels.public.ts'
import { type Amendment, entriesOf, type LedgerRow } from '../../../../ledger/ledger.public.ts'
import { bookingOf } from '../../../money/transactions/transactions.public.ts'
import type { RecurringItem } from '../recurring.rules.ts'

/** The categories of the transaction of an item. */
export const categoryIdsOf = ({ transaction }: RecurringItem): string[] =>
  transaction.kind === 'transfer'
    ? []
    : [transaction, ...(transaction.splits ?? [])].flatMap(({ categoryId }) => categoryId ?? [])

/**
 * Gives a transaction the category, or the parts, the payee and the tags of an item that it lacks. Parts are only for the same
 * amount, without transfers in them.
 * @param expenseCategoryIds those of the item's categories that are of the kind `expense`
 */
export function filledFrom(
  row: LedgerRow,
  { transaction, currency }: RecurringItem,
  expenseCategoryIds: ReadonlySet<string>,
): Pick<Amendment, 'entries' | 'labels' | 'right'> {
  if (transaction.kind === 'transfer' || row.headerKind !== transaction.kind) {
    return { right: 'annotate' }
  }
  const before = entriesOf(row)
  const booking = bookingOf(transaction.kind, before)
  const lacksCategory = booking.categoryId === null && booking.splits.length === 0
  const sent = transaction.splits ?? []
  const takesParts =
    lacksCategory &&
    sent.length > 0 &&
    row.status !== 'reconciled' &&
    parseMoney(transaction.amount, currency) === Math.abs(row.amountMinor) &&
    sent.every(({ transferAccountId }) => !transferAccountId)
  const parts = takesParts
    ? sent.map((part) => ({
        amountMinor: parseMoney(part.amount, currency, { signed: true }),
        categoryId: part.categoryId ?? null,
        note: part.note ?? null,
      }))
    : booking.splits
  const entries = singleEntries({
    ...booking,
    categoryId:
      lacksCategory && !takesParts ? (transaction.categoryId ?? null) : booking.categoryId,
    splits: parts,
    expenseCategoryIds: booking.expenseCategoryIds.union(expenseCategoryIds),
    lastLine: Math.max(row.lastLine, ...before.map(({ line }) => line)),
  })
  const known = labelsOf(row)
  const whole = labelsAt(known, WHOLE)
  const ofParts = entries
    .filter(({ line, pair }) => line > 1 && pair === null)
    .map(({ line }, at) => {
      const { payeeId = null, tagIds = [] } = (takesParts && sent[at]) || labelsAt(known, line)
      return { line, payeeId, tagIds }
    })
  const tagIds = [...new Set([...whole.tagIds, ...(transaction.tagIds ?? [])])].slice(0, MOST_TAGS)
  const payeeId = whole.payeeId ?? transaction.payeeId ?? null
  const labels = labelsFrom([{ line: WHOLE, payeeId, tagIds }, ...ofParts])
  return {
    entries: isSameBooking(before, entries) ? undefined : entries,
    labels: isSameLabels(known, labels) ? undefined : labels,
    right: takesParts ? 'write' : 'annotate',
  }
}
