import { isSameBooking, isSameMoney } from '../../../domain/comparing.ts'
import { type Entry, transferEntries, transferOf } from '../../../domain/ledger.ts'
import {
  type Amendment,
  entriesOf,
  type LedgerRow,
  requireAsReconciled,
  othersOf,
  type PairRow,
} from '../../../ledger/ledger.public.ts'
import {
  type Bookable,
  isSameLabels,
  labelsOf,
  type Named,
  rowsOfOwner,
} from '../../../ledger/labels/labels.public.ts'
import { splitIdOf } from '../../../domain/ledger-ids.ts'
import { disjointPairs } from '../../../domain/matching/pairing.ts'
import { foldedTexts, type mentionsAmong } from '../../../domain/matching/texts.ts'
import {
  daysApart,
  type MatchReason,
  scoreAndReasons,
  weightsOf,
} from '../../../domain/matching/weights.ts'
import { runSteps } from '../../../domain/steps.ts'
import { requireTags } from '../tags/tags.public.ts'
import {
  changedLeg,
  changedPlan,
  feeFieldOf,
  type TransferPlan,
  requireOneOwner,
  requireTransferCategories,
  type TransferChanges,
  transferColumns,
  transferErrors as errors,
  transferLabels,
} from '../transactions/transactions.public.ts'

/** The things that a request for a change refers to, each with its field, and those of them that the caller has. */
interface ChangeInput {
  named: { categories: Named[]; tags: Named[] }
  accounts: { id: string; ownerId: string; currency: string }[]
  categories: (Bookable & { kind: string })[]
  tags: Bookable[]
}

/** Decides a change of a stored transfer, or refuses it. */
export function decideTransferChange(
  row: LedgerRow,
  wanted: TransferChanges,
  { named, accounts, categories, tags }: ChangeInput,
): Amendment {
  const before = entriesOf(row)
  const now = storedPlan(row, before)
  const { ownerId } = row
  const labelsBefore = labelsOf(row)
  requireTransferCategories(named.categories, rowsOfOwner(ownerId, categories), now)
  requireTags(named.tags, rowsOfOwner(ownerId, tags), labelsBefore.tags)
  const accountSent = (field: 'fromAccountId' | 'toAccountId') => {
    const account = accounts.find(({ id }) => id === wanted[field])
    if (wanted[field] !== undefined && !account) {
      throw errors.unknownAccount({ field })
    }
    return account
  }
  const labels = transferLabels(labelsBefore, wanted)
  const plan = changedPlan(now, wanted, {
    from: changedLeg(now.from, accountSent('fromAccountId'), wanted.status),
    to: changedLeg(now.to, accountSent('toAccountId'), wanted.status),
  })
  requireOneOwner(plan.from, plan.to)
  const after = transferEntries(plan, feeFieldOf(wanted))
  const columns = { date: plan.date, ...transferColumns(wanted, plan) }
  return {
    row,
    columns,
    entries: isSameBooking(before, after) ? undefined : after,
    labels: isSameLabels(labelsBefore, labels) ? undefined : labels,
    right: isSameMoney(before, after) ? 'annotate' : 'write',
    ...requireAsReconciled(row, { columns, before, after }, wanted, errors.reconciled),
  }
}

function storedPlan(row: LedgerRow, entries: Entry[]): TransferPlan {
  const transfer = transferOf(entries)
  if (!transfer) {
    throw new Error('storedPlan: these are not the entries of a transfer')
  }
  return { ...transfer, rate: row.rate }
}

/** Two rows that may be one transfer. */
export interface TransferSuggestion {
  from: PairRow
  to: PairRow
  /** The part of one of them that is meant. */
  splitId: string | null
  score: number
  reasons: MatchReason[]
}

/**
 * @param one of a part and a row the whole of the part, else what left
 * @param mentionsBetween of all own accounts
 */
export function suggestionOf(
  one: PairRow,
  other: PairRow,
  mentionsBetween: ReturnType<typeof mentionsAmong>,
): TransferSuggestion {
  // The row has the direction of a transfer; the whole of a part may have any.
  const [from, to] = one.partLine !== null && other.amountMinor < 0 ? [other, one] : [one, other]
  const weights = weightsOf('suggestions', daysApart(from, to), {
    ...{ sameAmount: true, ...mentionsBetween(halfOf(from), halfOf(to)) },
    uncategorised: [from, to].every((row) =>
      othersOf(row).every(
        ({ line, categoryId }) =>
          categoryId === null || (row.partLine !== null && row.partLine !== line),
      ),
    ),
  })
  return {
    from,
    to,
    splitId: one.partLine === null ? null : splitIdOf(one.transactionId, one.partLine),
    ...scoreAndReasons('suggestions', weights),
  }
}

/** A text has no line ends, so that no name is found across two. */
const halfOf = (row: PairRow) => ({ accountId: row.accountId, text: foldedTexts(row).join('\n') })

/** The best first; each row, and each part, once, as it is half of one transfer at most. */
export function bestOf(suggestions: TransferSuggestion[], limit: number): TransferSuggestion[] {
  const best = suggestions.toSorted((one, other) => other.score - one.score)
  const halvesOf = ({ from, to }: TransferSuggestion) =>
    [from, to].map(({ transactionId, partLine }) => `${transactionId} ${partLine}`)
  return runSteps(disjointPairs(best, halvesOf)).slice(0, limit)
}
