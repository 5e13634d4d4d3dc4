import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../../platform/database/database.ts'
import {
  entryFinders,
  pageFinders,
  readEntryOn,
  readOn,
} from '../../../../platform/log/log-reading.ts'
import type { Page, PageRequest } from '../../../../platform/database/paging.ts'
import { historyErrors } from '../accounts.errors.ts'
import { accountHistoryEvents } from '../accounts.events.ts'
import {
  historyEntry,
  type HistoryFilter,
  historyList,
  type HistoryRecord,
  type HistoryRow,
  setNote,
} from './history.queries.ts'

export async function getAccountHistory(
  ctx: SignedIn,
  filter: HistoryFilter,
  page: PageRequest,
): Promise<Page<HistoryRow>> {
  const list = historyList(ctx, filter)
  return readOn(ctx, list, page, await read(ctx, ...pageFinders(list, page)))
}

export async function getAccountHistoryRecord(ctx: SignedIn, id: string): Promise<HistoryRecord> {
  const entry = historyEntry(ctx, id)
  const row = await readEntryOn(ctx, entry, await read(ctx, ...entryFinders(entry)))
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
