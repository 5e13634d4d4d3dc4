import { untold } from '../../../platform/events.ts'
import { type SignedIn } from '../../../platform/context.ts'
import { commit, read } from '../../../platform/database.ts'
import { mustBookOn } from '../../access/access.public.ts'
import { restoreAccount, accountEvents, inHistory } from '../../accounts/accounts.public.ts'
import { accountsOfTrashed, trashedRowById } from '../../../ledger/trash/trash.public.ts'
import { restore as restoreTransaction } from '../../../ledger/ledger.public.ts'
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
    changes: [
      {
        statements: restoreAccount(ctx, account, changedMeanwhile),
        events: [
          accountEvents.restored(
            { id, version: account.version + 1, ...inHistory(ctx, id) },
            { before: account, after: { ...account, deletedAt: null } },
          ),
        ],
      },
    ],
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
  return commit(ctx, {
    changes: [
      untold([
        mustBookOn(
          ctx,
          accounts.map((account) => account.id),
          'write',
          { gone: trashErrors.accountInTrash, closed: trashErrors.accountClosed },
        ),
      ]),
      restoreTransaction(ctx, row, changedMeanwhile),
    ],
    result: kind,
    conflicts: { 'entries.external_id': () => trashErrors.externalIdTaken() },
  })
}
