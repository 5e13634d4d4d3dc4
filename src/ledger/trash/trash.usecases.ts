import { trashErrors } from '../../domain/owned-data.ts'
import type { SignedIn } from '../../platform/context.ts'
import { commit, read, requireVersion } from '../../platform/database/database.ts'
import { changedInTrash, type TrashedKind } from '../../platform/owned-data/owned-data.ts'
import { eraseTrashedRow, post, restore } from '../journal/journal.usecases.ts'
import type { LedgerRow } from '../rows/rows.queries.ts'
import { accountsOfTrashed, trashedRowById } from './trash.queries.ts'

type Kind = 'transaction' | 'transfer'

/** Lines in the trash that no constraint of booked ones lets in: they came with an archive. */
const DAMAGED_LINES = { 'CHECK constraint failed: entry_': () => trashErrors.damaged() }

/** Restores and erases a transaction in the trash. */
export const trashedTransaction = (kind: Kind): TrashedKind => ({
  restore: (ctx, id, force) => bringBack(ctx, { kind, id, force }),
  erase: async (ctx, id) => {
    const [[found]] = await read(ctx, trashedRowById(ctx, id))
    const row = requireKind(found, kind)
    requireVersion(ctx, row.version)
    return commit(ctx, {
      changes: [eraseTrashedRow(row, changedInTrash)],
      result: { isDone: true },
    })
  },
})

function requireKind(row: LedgerRow | undefined, kind: Kind): LedgerRow {
  if (!row || (row.kind === 'transfer') !== (kind === 'transfer')) {
    throw trashErrors.notFound()
  }
  return row
}

async function bringBack(
  ctx: SignedIn,
  { kind, id, force }: { kind: Kind; id: string; force: boolean | undefined },
): Promise<void> {
  const [[found], accounts] = await read(ctx, trashedRowById(ctx, id), accountsOfTrashed(id))
  const row = requireKind(found, kind)
  if (accounts.some(({ deletedAt }) => deletedAt !== null)) {
    throw trashErrors.accountInTrash()
  }
  if (accounts.some(({ status }) => status === 'closed')) {
    throw trashErrors.accountClosed()
  }
  return commit(ctx, {
    changes: [
      post(
        ctx,
        { gone: trashErrors.accountInTrash, closed: trashErrors.accountClosed, force },
        restore(ctx, [row], changedInTrash),
      ),
    ],
    result: undefined,
    conflicts: {
      'entries.external_id': () => trashErrors.externalIdTaken(),
      ...DAMAGED_LINES,
    },
  })
}
