import type { SignedIn } from '../../../../platform/context.ts'
import { entriesOf, type LedgerRow } from '../../../../ledger/ledger.public.ts'
import { labelsOf } from '../../../../ledger/labels/labels.public.ts'
import { changeOne } from '../changes/changes.usecases.ts'
import { labelsInRequest } from '../labels/labels.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingOf, categoriesInRequest } from '../transactions.rules.ts'
import { type SplitChanges, type SplitInput, withChangedSplit } from './splits.rules.ts'

/** Changes one part and leaves the others as they are; together they still sum to the amount. */
export const updateSplit = (
  ctx: SignedIn,
  id: string,
  splitId: string,
  { force, ...wanted }: SplitChanges & { force?: boolean | undefined },
): Promise<LedgerRow> =>
  changeOne(
    ctx,
    id,
    {
      named: {
        categories: categoriesInRequest({ categoryId: wanted.categoryId }),
        ...labelsInRequest({ payeeId: wanted.payeeId, tagIds: wanted.tagIds }),
      },
      accountIds: wanted.transferAccountId ? [wanted.transferAccountId] : [],
      of: (row) => ({ splits: splitsAfter(row, splitId, wanted) }),
    },
    { force },
  )

function splitsAfter(row: LedgerRow, splitId: string, wanted: SplitChanges): SplitInput[] {
  const { kind, transactionId, currency } = row
  if (row.pair !== null) {
    throw transactionErrors.partLeg()
  }
  const splits =
    kind === 'transfer' || kind === 'opening' ? [] : bookingOf(kind, entriesOf(row)).splits
  const changed = withChangedSplit(
    { transactionId, currency, splits, labels: labelsOf(row) },
    splitId,
    wanted,
  )
  if (!changed) {
    throw transactionErrors.splitNotFound()
  }
  return changed
}
