import {
  type Entry,
  expenseCategoriesOf,
  type Leg,
  type Split,
  singleEntries,
  transferEntries,
} from '../../../domain/ledger.ts'
import { accountsMoved, fieldsThatDiffer, isSameBooking } from '../../../domain/comparing.ts'
import { negate } from '../../../domain/money.ts'
import { isSameLabels, labelsFrom, labelsOf, WHOLE } from '../../../ledger/labels/labels.public.ts'
import {
  type Amendment,
  entriesOf,
  headerOf,
  type PartSnapshot,
  requireAsReconciled,
} from '../../../ledger/ledger.public.ts'
import { transactionErrors, withStatusOf } from '../../money/transactions/transactions.public.ts'
import { type Compared, type FormerField, type Side, sidesWith } from './sides.rules.ts'

/**
 * The change of a transaction that takes some fields back.
 * @throws AppError `transactions.reconciled`, `transactions.partHidden`, or of a category that the transaction cannot have
 */
export function formerAmendment(
  all: Compared,
  fields: FormerField[],
  force: boolean | undefined,
): Amendment {
  const { row, known } = all
  const sides = sidesWith(all, fields)
  const whole = sides.find(({ line }) => line === 1) as Side
  const before = entriesOf(row)
  const entries = entriesBefore(all, whole, sides)
  const labels = labelsFrom(
    [{ ...whole, line: WHOLE }, ...(whole.splits ?? [])].map(
      ({ line, payeeId = null, tagIds = [] }) => ({ line, payeeId, tagIds }),
    ),
  )
  const moved = accountsMoved(before, entries)
  if (moved.some((id) => !known.accounts.has(id))) {
    throw transactionErrors.partHidden()
  }
  const columns = fieldsThatDiffer(columnsOf(whole), headerOf(row))
  const edit = { columns, before, after: entries }
  const reconcilable = { ...row, kind: row.headerKind }
  return {
    ...{ row, columns, carries: true },
    entries: isSameBooking(before, entries) ? undefined : entries,
    labels: isSameLabels(labelsOf(row), labels) ? undefined : labels,
    right: moved.length === 0 ? 'annotate' : 'write',
    on: [...new Set([row.accountId, ...moved])],
    ...requireAsReconciled(reconcilable, edit, { force }, transactionErrors.reconciled),
  }
}

const jsonOf = (value: object | undefined) => (value === undefined ? null : JSON.stringify(value))

const columnsOf = ({ location, metadata, ...side }: Side) => ({
  ...{ kind: side.kind, date: side.date },
  description: side.description ?? '',
  time: side.time ?? null,
  payeeRaw: side.payeeRaw ?? null,
  originalAmountMinor: side.originalAmountMinor ?? null,
  originalCurrency: side.originalCurrency ?? null,
  rate: side.rate ?? null,
  reviewed: side.reviewed ?? false,
  private: side.private ?? false,
  excludeFromReports: side.excludeFromReports ?? false,
  note: side.note ?? null,
  recurringId: side.recurringId ?? null,
  recurringDate: side.recurringDate ?? null,
  ...{ location: jsonOf(location), metadata: jsonOf(metadata) },
})

function entriesBefore(all: Compared, whole: Side, sides: Side[]): Entry[] {
  const stored = entriesOf(all.row)
  const { kind, date, amountMinor, categoryId = null, fees = [] } = whole
  const legFrom = ({ line, accountId, status, externalId }: Side): Leg => {
    const now = stored.find((entry) => entry.line === line && entry.accountId === accountId)
    const account = now ?? all.known.accounts.get(accountId)
    if (!account) {
      throw transactionErrors.partHidden()
    }
    const { ownerId, currency } = account
    return { accountId, ownerId, currency, status, externalId: externalId ?? null }
  }
  const leg = legFrom(whole)
  if (kind === 'transfer') {
    const other = sides.find(({ line }) => line === 2) as Side
    const ids = [categoryId, ...fees.map((fee) => fee.categoryId)]
    if (ids.some((id) => id && all.known.labels.get(id)?.kind === 'income')) {
      throw transactionErrors.categoryKind()
    }
    return transferEntries({
      ...{ from: leg, to: legFrom(other), date, categoryId },
      ...{ amountMinor: negate(amountMinor), toAmountMinor: other.amountMinor },
      fees: fees.map(lineOf),
    })
  }
  const others = stored.filter(({ line, pair }) => line > 1 && pair === null)
  const only = others.length === 1 ? others[0] : undefined
  const splits = whole.splits
    ? partsBefore(whole.splits, stored, sides, legFrom)
    : [
        {
          line: only?.line ?? 2,
          amountMinor: Math.abs(amountMinor),
          categoryId,
          note: only?.note ?? null,
        },
      ]
  const expenseCategoryIds = new Set([
    ...expenseCategoriesOf(stored),
    ...[...all.known.labels.values()].flatMap((one) => (one.kind === 'expense' ? [one.id] : [])),
  ])
  requireFit(kind, splits, expenseCategoryIds, whole)
  return singleEntries({
    ...{ kind, leg, date, signedMinor: amountMinor, categoryId: null, expenseCategoryIds },
    splits: withStatusOf(splits, leg.status),
  })
}

const lineOf = ({ amountMinor, categoryId, note }: Omit<PartSnapshot, 'line'>) => ({
  ...{ amountMinor, categoryId: categoryId ?? null, note: note ?? null },
})

/** Somebody may have given it parts, or a category, that its former self cannot have. */
function requireFit(kind: string, splits: Split[], expenseIds: Set<string>, whole: Side) {
  const ids = splits.flatMap(({ categoryId, transfer }) => (transfer ? [] : (categoryId ?? [])))
  const isUnfit =
    (whole.splits && (kind === 'adjustment' || whole.categoryId !== undefined)) ||
    (kind === 'adjustment' && ids.length > 0) ||
    (kind === 'expense' && ids.some((id) => !expenseIds.has(id)))
  if (isUnfit) {
    throw transactionErrors.categoryKind()
  }
}

/** Parts as they were, each with its line. */
function partsBefore(
  parts: PartSnapshot[],
  stored: Entry[],
  sides: Side[],
  legFrom: (side: Side) => Leg,
): Split[] {
  const free = new Set(sides.filter(({ line }) => line > 2))
  return parts.map(({ line, counterAccountId, ...part }): Split => {
    const former = { line, ...lineOf(part) }
    if (counterAccountId === undefined) {
      const isLeft = stored.some((entry) => entry.line === line && entry.side === 'adjustment')
      return isLeft && former.categoryId === null ? { ...former, isLeft } : former
    }
    // A leg that went does not tell its part: its account does, and its amount among several.
    const fitting = [...free].filter((side) => {
      const now = stored.find((entry) => entry.line === side.line)
      return now ? now.pair === line : side.accountId === counterAccountId
    })
    const minorOf = (side: Side) => Math.abs(side.amountMinor)
    const leg = fitting.find((side) => minorOf(side) === Math.abs(part.amountMinor)) ?? fitting[0]
    if (!leg) {
      throw transactionErrors.partHidden()
    }
    free.delete(leg)
    const payeeRaw = leg.payeeRaw ?? null
    return {
      ...former,
      transfer: { line: leg.line, leg: legFrom(leg), amountMinor: minorOf(leg), payeeRaw },
    }
  })
}
