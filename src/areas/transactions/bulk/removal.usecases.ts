import type { SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { mustBookOn } from '../../access/access.public.ts'
import { visibleAccounts } from '../../accounts/accounts.public.ts'
import { type LedgerRow, trashTransactions } from '../../ledger/ledger.public.ts'
import { removalOf } from '../changes/changes.rules.ts'
import { transactionErrors } from '../transactions.errors.ts'
import { bookingErrors } from '../transactions.usecases.ts'
import {
  decideOnEach,
  allowedIn,
  ownerOf,
  type Outcomes,
  requireAll,
  selectedRows,
  type Selection,
} from './selection.usecases.ts'

interface Sent extends Selection {
  force?: boolean | undefined
  dryRun: boolean
}

/** Moves all of them to the trash, or none. */
export async function removeMany(
  ctx: SignedIn,
  { force, dryRun, ...selection }: Sent,
): Promise<Outcomes<'deleted'>> {
  const [rows, views] = await read(ctx, selectedRows(ctx, selection), visibleAccounts(ctx))
  const requireRight = allowedIn(views)
  const removed: { row: LedgerRow; changes: ReturnType<typeof removalOf>['changes'] }[] = []
  const outcomes = decideOnEach(rows, selection, (row) => {
    const { changes, adjusted } = removalOf(row, force)
    if (adjusted) {
      throw transactionErrors.adjustmentAlone()
    }
    requireRight(row.accountId, 'write')
    removed.push({ row, changes })
    return 'deleted'
  })
  const result = { outcomes, dryRun }
  if (dryRun) {
    return result
  }
  requireAll(outcomes, selection)
  const ownerId = ownerOf(
    ctx,
    removed.map(({ row }) => row),
    selection.ids ? 'ids' : 'filter',
  )
  // An Idempotency-Key must stand for this answer from now on, also when nothing matched.
  if (removed.length === 0 && !ctx.repeatable) {
    return result
  }
  return commit(ctx, {
    action: 'transactions.deleted',
    resource: { type: 'transaction', id: null },
    ownerId,
    changes: { ...selection, deleted: removed.length },
    items: removed.map(({ row, changes }) => ({ resourceId: row.transactionId, changes })),
    writes: [
      mustBookOn(
        ctx,
        [...new Set(removed.map(({ row }) => row.accountId))],
        'write',
        bookingErrors,
      ),
      ...trashTransactions(
        ctx,
        removed.map(({ row }) => ({ id: row.transactionId, version: row.version })),
      ),
    ],
    result,
  })
}
