import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database/database.ts'
import { visibleAccounts } from '../../accounts/accounts.public.ts'
import {
  entriesOf,
  type LedgerRow,
  daysChanged,
  discard,
  type Forced,
  post,
  requireUnlocked,
} from '../../../../ledger/ledger.public.ts'
import { removalOf } from '../changes/changes.rules.ts'
import { bookingErrors } from '../recording/posting-errors.rules.ts'
import {
  decideOnEach,
  allowedIn,
  checkedSelection,
  locksIn,
  placeOf,
  type Outcomes,
  requireAll,
  selectedRows,
  type TransactionSelection,
} from './selection.usecases.ts'

interface RemoveManyInput extends TransactionSelection {
  force?: boolean | undefined
  dryRun: boolean
}

/** Moves all of them to the trash, or none. */
export async function deleteTransactions(
  ctx: SignedIn,
  { force, dryRun, ...selection }: RemoveManyInput,
): Promise<Outcomes<'deleted'>> {
  const selected = await checkedSelection(ctx, selection)
  const [rows, views] = await read(ctx, selectedRows(ctx, selected), visibleAccounts(ctx))
  const requireRight = allowedIn(views)
  const locks = locksIn(views)
  const removed: ({ row: LedgerRow } & Forced)[] = []
  const outcomes = decideOnEach(rows, selection, (row) => {
    const forced = removalOf(row, force)
    const entries = entriesOf(row)
    for (const { accountId } of entries) {
      requireRight(accountId, 'write')
    }
    requireUnlocked(daysChanged(entries, undefined), locks, { force })
    removed.push({ row, ...forced })
    return 'deleted'
  })
  const result = { outcomes, dryRun }
  if (dryRun) {
    return result
  }
  requireAll(outcomes, selection)
  // An Idempotency-Key must stand for this answer from now on, also when nothing matched.
  if (removed.length === 0 && !ctx.repeatable) {
    return result
  }
  const errors = { ...bookingErrors, force, lockedField: placeOf(selection) }
  return commit(ctx, { changes: [post(ctx, errors, discard(ctx, removed))], result })
}
