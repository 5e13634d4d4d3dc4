import { METADATA_BYTES, sizeOf } from '../../../../domain/metadata.ts'
import { type Entry, singleEntries, type Split, type Status } from '../../../../domain/ledger.ts'
import { foldedTexts, saySame } from '../../../../domain/matching/texts.ts'
import {
  daysApart,
  type MatchReason,
  scoreAndReasons,
  weightsOf,
} from '../../../../domain/matching/weights.ts'
import {
  entriesOf,
  type Header,
  headerOf,
  type LedgerRow,
} from '../../../../ledger/ledger.public.ts'
import {
  labelsAt,
  type Labels,
  labelsFrom,
  labelsOf,
  WHOLE,
} from '../../../../ledger/labels/labels.public.ts'
import { MOST_TAGS } from '../../../../domain/ledger-ids.ts'
import { transactionErrors as errors } from '../transactions.errors.ts'
import { type Booking, bookingOf } from '../transactions.rules.ts'

/** Two rows that may be one, the one that was recorded first ahead. */
export interface DuplicateCandidate {
  rows: [LedgerRow, LedgerRow]
  score: number
  reasons: MatchReason[]
}

/**
 * Weighs a pair of possible duplicates. Two sources likely report one booking twice. One bank with two ids reports
 * two bookings, such as two coffees.
 */
export function candidateOf([one, other]: [LedgerRow, LedgerRow]): DuplicateCandidate {
  const payees = [one, other].map((row) => labelsAt(labelsOf(row), WHOLE).payeeId)
  const isNamed = [one, other].map(({ externalId }) => externalId !== null)
  const weights = weightsOf('duplicates', daysApart(one, other), {
    sameAmount: true,
    sameDescription: saySame(foldedTexts(one), foldedTexts(other)),
    samePayee: payees[0] !== null && payees[0] === payees[1],
    otherSource: isNamed[0] !== isNamed[1] || one.source !== other.source,
    sameSource: isNamed.every(Boolean) || (one.source === 'import' && other.source === 'import'),
  })
  return { rows: [one, other], ...scoreAndReasons('duplicates', weights) }
}

/** Refuses two that cannot be one and the same. */
export function requireSame(keep: LedgerRow, drop: LedgerRow): void {
  if (keep.accountId !== drop.accountId || keep.amountMinor !== drop.amountMinor) {
    throw errors.notSame({ field: 'dropId' })
  }
  if (keep.status === 'void' || drop.status === 'void') {
    throw errors.voidDuplicate({ field: keep.status === 'void' ? 'keepId' : 'dropId' })
  }
}

/** The confirmation by the bank, from none to full. */
const CONFIRMED: Status[] = ['pending', 'uncleared', 'cleared', 'reconciled']

export const furtherOf = (one: Status, other: Status): Status =>
  CONFIRMED.indexOf(one) < CONFIRMED.indexOf(other) ? other : one

interface Merged {
  columns: Partial<Header>
  entries: Entry[]
  labels: Labels
  /** The lines of parts that the kept one takes, before and after. */
  taken: [from: number, to: number][]
}

/** Merges two duplicates: the kept one keeps its values and takes from the other those that it lacks. */
export function mergedRow(keep: LedgerRow, drop: LedgerRow): Merged {
  const [kept, dropped] = [headerOf(keep), headerOf(drop)]
  const original = kept.originalCurrency === null ? dropped : kept
  const columns = {
    description: kept.description || dropped.description,
    time: kept.time ?? (keep.date === drop.date ? dropped.time : null),
    payeeRaw: kept.payeeRaw ?? dropped.payeeRaw,
    note: kept.note ?? dropped.note,
    location: kept.location ?? dropped.location,
    metadata: metadataOf(kept.metadata, dropped.metadata),
    originalAmountMinor: original.originalAmountMinor,
    originalCurrency: original.originalCurrency,
    rate: kept.rate ?? dropped.rate,
    reviewed: kept.reviewed || dropped.reviewed,
    private: kept.private || dropped.private,
    excludeFromReports: kept.excludeFromReports || dropped.excludeFromReports,
    ...occurrenceOf(kept.recurringId === null ? dropped : kept),
  }
  const [mine, theirs] = [bookingFrom(keep), bookingFrom(drop)]
  const takesParts = mine.splits.length === 0 && theirs.splits.length > 0
  if (!takesParts && theirs.splits.some(({ transfer }) => transfer)) {
    throw errors.hasTransferPart({ field: 'dropId' })
  }
  const entries = singleEntries({
    ...mine,
    leg: {
      ...mine.leg,
      status: furtherOf(mine.leg.status, theirs.leg.status),
      externalId: mine.leg.externalId ?? theirs.leg.externalId,
    },
    categoryId:
      takesParts || mine.splits.length > 0 ? null : (mine.categoryId ?? theirs.categoryId),
    splits: takesParts ? theirs.splits.map(withoutLine) : mine.splits,
    expenseCategoryIds: mine.expenseCategoryIds.union(theirs.expenseCategoryIds),
  })
  const theirLines = entriesOf(drop).filter(({ pair }) => pair === null)
  const taken = theirLines.flatMap(({ line }, at): Merged['taken'] => {
    const own = entries[at]?.line
    return takesParts && at > 0 && own !== undefined ? [[line, own]] : []
  })
  return { columns, entries, labels: labelsOfBoth({ keep, drop, entries, takesParts }), taken }
}

const occurrenceOf = ({ recurringId, recurringDate }: Header) => ({ recurringId, recurringDate })

const bookingFrom = (row: LedgerRow): Booking =>
  bookingOf(row.kind as Booking['kind'], entriesOf(row))

const withoutLine = ({ line: _line, transfer, ...part }: Split): Split => ({
  ...part,
  ...(transfer ? { transfer: { ...transfer, line: undefined } } : {}),
})

/** The keys that the kept one lacks come from the other, unless both together are too many. */
function metadataOf(kept: string | null, dropped: string | null): string | null {
  if (kept === null || dropped === null) {
    return kept ?? dropped
  }
  const both = JSON.stringify({ ...JSON.parse(dropped), ...JSON.parse(kept) })
  return sizeOf(both) > METADATA_BYTES ? kept : both
}

function labelsOfBoth({
  keep,
  drop,
  entries,
  takesParts,
}: {
  keep: LedgerRow
  drop: LedgerRow
  entries: Entry[]
  takesParts: boolean
}): Labels {
  const [mine, theirs] = [labelsOf(keep), labelsOf(drop)]
  const [whole, other] = [labelsAt(mine, WHOLE), labelsAt(theirs, WHOLE)]
  const theirParts = entriesOf(drop).filter(({ pair }) => pair === null)
  const parts = entries.slice(1).map(({ line }, at) => {
    const old = takesParts ? theirParts[at + 1]?.line : line
    return { ...labelsAt(takesParts ? theirs : mine, old ?? line), line }
  })
  const tagIds = [...new Set([...whole.tagIds, ...other.tagIds])].slice(0, MOST_TAGS)
  return labelsFrom([{ line: WHOLE, payeeId: whole.payeeId ?? other.payeeId, tagIds }, ...parts])
}
