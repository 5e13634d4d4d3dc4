import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database.ts'
import { cutPage, type PageRequest, type Position } from '../../../platform/paging.ts'
import { historyErrors } from '../accounts.errors.ts'
import {
  type HistoryFilter,
  type HistoryRecord,
  type HistoryRow,
  historyRowById,
  historyRows,
  setNote,
} from './history.queries.ts'

export async function listHistory(
  ctx: SignedIn,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<{ rows: HistoryRow[]; next: Position | null }> {
  const [found] = await read(ctx, historyRows(ctx, filter, page))
  return cutPage(found, page, ({ sequence }) => [String(sequence)])
}

export async function findHistory(ctx: SignedIn, id: string): Promise<HistoryRecord> {
  const [[row]] = await read(ctx, historyRowById(ctx, id))
  if (!row) {
    throw historyErrors.notFound()
  }
  return row
}

export const commentOnHistory = (ctx: SignedIn, id: string, comment: string): Promise<void> =>
  changeNote(ctx, id, 'accountHistory.commented', (row) => ({
    comment: comment === '' ? null : comment,
    hiddenAt: null,
    changes: { comment: [row.comment, comment] },
  }))

/** Hides a record from its reader. The log keeps it, and no balance changes. */
export const hideHistory = (ctx: SignedIn, id: string): Promise<void> =>
  changeNote(ctx, id, 'accountHistory.hidden', (row) => ({
    comment: row.comment,
    hiddenAt: ctx.now,
    changes: { hidden: [false, true] },
  }))

async function changeNote(
  ctx: SignedIn,
  id: string,
  action: string,
  change: (row: HistoryRow) => {
    comment: string | null
    hiddenAt: number | null
    changes: Record<string, unknown>
  },
): Promise<void> {
  const row = await findHistory(ctx, id)
  if (!row.isOwn) {
    throw historyErrors.notOwn()
  }
  requireVersion(ctx, row.version)
  const { changes, ...note } = change(row)
  await commit(ctx, {
    action,
    resource: { type: 'accountHistory', id },
    changes,
    writes: setNote(ctx, row, note),
    result: undefined,
  })
}
