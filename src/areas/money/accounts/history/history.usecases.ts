import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database.ts'
import { cutPage, type PageRequest, type Position } from '../../../../platform/paging.ts'
import { historyErrors } from '../accounts.errors.ts'
import { accountHistoryEvents } from './history.events.ts'
import {
  type HistoryFilter,
  type HistoryRecord,
  type HistoryRow,
  historyRowById,
  historyRows,
  setNote,
} from './history.queries.ts'

export async function getAccountHistory(
  ctx: SignedIn,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<{ rows: HistoryRow[]; next: Position | null }> {
  const [found] = await read(ctx, historyRows(ctx, filter, page))
  return cutPage(found, page, ({ sequence }) => [String(sequence)])
}

export async function getAccountHistoryRecord(ctx: SignedIn, id: string): Promise<HistoryRecord> {
  const [[row]] = await read(ctx, historyRowById(ctx, id))
  if (!row) {
    throw historyErrors.notFound()
  }
  return row
}

export async function updateAccountHistoryComment(
  ctx: SignedIn,
  id: string,
  text: string,
): Promise<void> {
  const row = await findToNote(ctx, id)
  const comment = text === '' ? null : text
  await commit(ctx, {
    changes: [
      {
        statements: setNote(ctx, row, { comment, hiddenAt: null }),
        events: [
          accountHistoryEvents.commented(
            { id, version: row.version + 1 },
            { before: { comment: row.comment }, after: { comment } },
          ),
        ],
      },
    ],
    result: undefined,
  })
}

/** Hides a record from its reader. The log keeps it, and no balance changes. */
export async function deleteAccountHistory(ctx: SignedIn, id: string): Promise<void> {
  const row = await findToNote(ctx, id)
  await commit(ctx, {
    changes: [
      {
        statements: setNote(ctx, row, { comment: row.comment, hiddenAt: ctx.now }),
        events: [
          accountHistoryEvents.hidden(
            { id, version: row.version + 1 },
            { before: { hidden: false }, after: { hidden: true } },
          ),
        ],
      },
    ],
    result: undefined,
  })
}

async function findToNote(ctx: SignedIn, id: string): Promise<HistoryRecord> {
  const row = await getAccountHistoryRecord(ctx, id)
  if (!row.isOwn) {
    throw historyErrors.notOwn()
  }
  requireVersion(ctx, row.version)
  return row
}
