import type { CalendarDate } from '../../../../domain/calendar.ts'
import { legIdOf, MOST_TAGS } from '../../../../domain/ledger-ids.ts'
import type { Kind } from '../../../../domain/ledger.ts'
import type { Span } from '../../../../domain/recurring/occurrences.ts'
import {
  decideLinks,
  type LinkReason,
  linkScore,
  reachOf,
} from '../../../../domain/recurring/linking.ts'
import { parseMoney } from '../../../../domain/money.ts'
import { labelsAt, labelsOf, WHOLE } from '../../../../ledger/labels/labels.public.ts'
import { type Amendment, entriesOf, type LedgerRow } from '../../../../ledger/ledger.public.ts'
import {
  amendmentOf,
  bookingOf,
  decideChange,
  NOTHING_NAMED,
} from '../../../money/transactions/transactions.public.ts'
import { hasDate, isSettled, viewsIn } from '../occurrences/occurrences.rules.ts'
import { isResting, type RecurringItem } from '../recurring.rules.ts'

/** A transaction that may be of an occurrence of an item: account, direction and currency fit, and mostly the amount. */
export interface CandidateRow {
  recurringId: string
  headerId: string
  kind: Kind
  version: number
  line: number
  date: CalendarDate
  amountMinor: number
  currency: string
  description: string
  payeeRaw: string | null
  payeeId: string | null
  /** JSON of the name and the aliases of the item's payee. */
  names: string
  /** JSON of the keys under which matches of the two were dismissed. */
  dismissed: string
  /** 1 if there are more lines than are compared; the oldest are left out. */
  isTruncated: 0 | 1
}

/** A transaction and the occurrence that it may be of. */
export interface FoundLink {
  item: RecurringItem
  nominalDate: CalendarDate
  row: CandidateRow
  transactionId: string
  score: number
  reasons: LinkReason[]
  /** The amount that was expected of the occurrence. */
  expectedMinor: number
  rowId: string
  rowDate: CalendarDate
  occurrenceId: string
  isOpen: boolean
}

/** The key under which a match is dismissed. */
export const keyOfMatch = (match: {
  recurringId: string
  nominalDate: string
  transactionId: string
}): string => `${match.recurringId} ${match.nominalDate} ${match.transactionId}`

/** Decides on links between transactions and the occurrences of a span that are not settled. */
export function linksIn(
  items: RecurringItem[],
  candidates: CandidateRow[],
  span: Span,
): ReturnType<typeof decideLinks<FoundLink>> {
  const ofItem = Map.groupBy(candidates, ({ recurringId }) => recurringId)
  return decideLinks(items.flatMap((item) => linksOf(item, ofItem.get(item.id) ?? [], span)))
}

function linksOf(item: RecurringItem, rows: CandidateRow[], span: Span): FoundLink[] {
  const { schedule, dayWindow, transaction } = item
  if (schedule === null || isResting(item) || rows.length === 0) {
    return []
  }
  const { description = '', payeeRaw } = transaction as { description?: string; payeeRaw?: string }
  const payeeId = ('payeeId' in transaction && transaction.payeeId) || null
  const shared = {
    ...{ payeeId, reach: reachOf(schedule, dayWindow) },
    texts: [item.name, description, payeeRaw ?? ''],
  }
  const open = viewsIn(item, span)
    .filter(hasDate)
    .filter((view) => !isSettled(view))
  return rows.flatMap((row) => {
    const names = [...(JSON.parse(row.names) as string[]), payeeRaw ?? '']
    const dismissed = JSON.parse(row.dismissed) as string[]
    const texts = [row.description, row.payeeRaw ?? '']
    const paid = { ...row, amountMinor: Math.abs(row.amountMinor), texts }
    const transactionId = legIdOf(row.headerId, row.kind, row.line)
    return open.flatMap(({ nominalDate, date, expected, transactionIds }): FoundLink[] => {
      const key = keyOfMatch({ recurringId: item.id, nominalDate, transactionId })
      const fit = linkScore({ ...shared, names, date, expected }, paid)
      return fit === undefined || dismissed.includes(key)
        ? []
        : [
            {
              ...{ ...fit, item, nominalDate, row, transactionId },
              ...{ expectedMinor: expected.amountMinor, isOpen: transactionIds.length === 0 },
              ...{ rowId: row.headerId, rowDate: row.date },
              occurrenceId: `${item.id} ${nominalDate}`,
            },
          ]
    })
  })
}

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
  if (transaction.kind === 'transfer' || row.kind !== transaction.kind) {
    return { right: 'annotate' }
  }
  const { payeeId, categoryId, splits = [], tagIds = [] } = transaction
  const booking = bookingOf(transaction.kind, entriesOf(row))
  const lacksCategory = booking.categoryId === null && booking.splits.length === 0
  const takesParts =
    lacksCategory &&
    splits.length > 0 &&
    row.status !== 'reconciled' &&
    parseMoney(transaction.amount, currency) === Math.abs(row.amountMinor) &&
    splits.every(({ transferAccountId }) => !transferAccountId)
  const known = labelsAt(labelsOf(row), WHOLE)
  const lacking = {
    ...(takesParts ? { splits } : lacksCategory ? { categoryId } : {}),
    payeeId: known.payeeId ?? payeeId,
    tagIds: [...new Set([...known.tagIds, ...tagIds])].slice(0, MOST_TAGS),
    expenseCategoryIds: [...expenseCategoryIds],
  }
  const { entries, labels, right } = amendmentOf(row, decideChange(row, lacking, NOTHING_NAMED))
  return { entries, labels, right }
}
