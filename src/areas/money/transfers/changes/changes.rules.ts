import { isSameBooking, isSameMoney } from '../../../../domain/comparing.ts'
import { type Entry, transferEntries, transferOf } from '../../../../domain/ledger.ts'
import {
  type Amendment,
  entriesOf,
  type LedgerRow,
  requireAsReconciled,
} from '../../../../ledger/ledger.public.ts'
import {
  type Bookable,
  isSameLabels,
  labelsOf,
  type Named,
  rowsOfOwner,
} from '../../../../ledger/labels/labels.public.ts'
import { requireTags } from '../../tags/tags.public.ts'
import {
  changedLeg,
  changedPlan,
  feeFieldOf,
  type Plan,
  requireOneOwner,
  requireTransferCategories,
  type TransferChanges,
  transferColumns,
  transferErrors as errors,
  transferLabels,
} from '../../transactions/transactions.public.ts'

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

function storedPlan(row: LedgerRow, entries: Entry[]): Plan {
  const transfer = transferOf(entries)
  if (!transfer) {
    throw new Error('storedPlan: these are not the entries of a transfer')
  }
  return { ...transfer, rate: row.rate }
}
