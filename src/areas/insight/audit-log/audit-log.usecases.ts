import { type Context, profileOf, type SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database/database.ts'
import {
  entryFinders,
  pageFinders,
  readEntryOn,
  readOn,
} from '../../../platform/log/log-reading.ts'
import type { Page, PageRequest } from '../../../platform/database/paging.ts'
import { auditLogErrors } from './audit-log.errors.ts'
import {
  logEntry,
  type LogEntryRow,
  type LogFilter,
  ownLog,
  ownSearch,
  searchedLog,
  searchOf,
} from './audit-log.queries.ts'

/** The whole log tells of all accounts: a token for some of them has none of it. Known once a unit of work has run. */
export function requireAllAccounts({ caller }: Context): void {
  if (caller?.token?.accountIds) {
    throw auditLogErrors.restrictedToken()
  }
}

/** True if account numbers and free text are masked for the caller. Known once a unit of work has run. */
export const isMaskedFor = (ctx: SignedIn): boolean =>
  !profileOf(ctx).permissions.includes('auditLogTexts.read')

export async function listAuditLogs(
  ctx: SignedIn,
  filter: LogFilter,
  page: PageRequest,
): Promise<Page<LogEntryRow>> {
  const list = searchedLog(searchOf(ctx.now, filter))
  const found = await read(ctx, ...pageFinders(list, page))
  requireAllAccounts(ctx)
  return readOn(ctx, list, page, found)
}

export async function listOwnAuditLog(
  ctx: SignedIn,
  filter: LogFilter,
  page: PageRequest,
): Promise<Page<LogEntryRow>> {
  const list = ownLog(ctx, ownSearch(ctx, filter))
  return readOn(ctx, list, page, await read(ctx, ...pageFinders(list, page)))
}

export async function getAuditLog(ctx: SignedIn, id: string): Promise<LogEntryRow> {
  const entry = logEntry(id)
  const found = await read(ctx, ...entryFinders(entry))
  requireAllAccounts(ctx)
  const row = await readEntryOn(ctx, entry, found)
  if (!row) {
    throw auditLogErrors.notFound()
  }
  return row
}
