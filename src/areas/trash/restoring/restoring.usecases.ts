import { dateInZone } from '../../../domain/calendar.ts'
import { profileOf, type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { mustBookOn } from '../../access/access.public.ts'
import { historyFacts, restoreAccount } from '../../accounts/accounts.public.ts'
import {
  accountsOfTrashed,
  imageOf,
  restoreTransactions,
  trashedRowById,
} from '../../ledger/ledger.public.ts'
import { adjustmentOf } from '../../transactions/transactions.public.ts'
import { trashErrors } from '../trash.errors.ts'
import { trashedAccountById } from '../trash.queries.ts'
import { isRowKind, type TrashKind } from '../trash.rules.ts'
import { changedMeanwhile } from '../trash.usecases.ts'
import { bringBackRow } from '../rows/rows.usecases.ts'

/** Brings back what was deleted, with all that hung on it. */
export const restore = (ctx: SignedIn, kind: TrashKind, id: string): Promise<TrashKind> =>
  isRowKind(kind)
    ? bringBackRow(ctx, kind, id)
    : kind === 'account'
      ? bringBackAccount(ctx, id)
      : bringBackTransaction(ctx, kind, id)

/** All that is booked on an account stayed as it was; what was deleted by itself stays in the trash. */
async function bringBackAccount(ctx: SignedIn, id: string): Promise<'account'> {
  const [[account]] = await read(ctx, trashedAccountById(ctx, id))
  if (!account) {
    throw trashErrors.notFound()
  }
  return commit(ctx, {
    action: 'account.restored',
    resource: { type: 'account', id },
    accountId: id,
    changes: { before: account, after: { ...account, deletedAt: null } },
    facts: historyFacts(id, {
      date: dateInZone(ctx.now, profileOf(ctx).timeZone),
      changeMinor: 0,
      transactionId: null,
    }),
    writes: restoreAccount(ctx, account, changedMeanwhile),
    result: 'account',
    conflicts: { 'accounts.name_key': () => trashErrors.nameTaken() },
  })
}

async function bringBackTransaction<Kind extends 'transaction' | 'transfer'>(
  ctx: SignedIn,
  kind: Kind,
  id: string,
): Promise<Kind> {
  const [[row], accounts] = await read(ctx, trashedRowById(ctx, id), accountsOfTrashed(id))
  if (!row || (row.kind === 'transfer') !== (kind === 'transfer')) {
    throw trashErrors.notFound()
  }
  if (accounts.some(({ deletedAt }) => deletedAt !== null)) {
    throw trashErrors.accountInTrash()
  }
  if (accounts.some(({ status }) => status === 'closed')) {
    throw trashErrors.accountClosed()
  }
  const { ownerId, version } = row
  const adjusted = adjustmentOf(undefined, row)
  return commit(ctx, {
    action: `${kind}.restored`,
    resource: { type: kind, id },
    ownerId,
    // An adjustment shows in the history of its account, as its deletion did.
    ...(adjusted && {
      accountId: adjusted.accountId,
      facts: historyFacts(adjusted.accountId, { ...adjusted, transactionId: id }),
    }),
    changes: { after: imageOf(row) },
    writes: [
      mustBookOn(
        ctx,
        accounts.map((account) => account.id),
        'write',
        { gone: trashErrors.accountInTrash, closed: trashErrors.accountClosed },
      ),
      ...restoreTransactions(ctx, [{ id, version }], changedMeanwhile),
    ],
    result: kind,
    conflicts: { 'entries.external_id': () => trashErrors.externalIdTaken() },
  })
}
