import { type Context, profileOf, type SignedIn } from '../../../platform/context.ts'
import { read } from '../../../platform/database.ts'
import { cutPage, type Page, type PageRequest } from '../../../platform/paging.ts'
import { auditLogErrors } from './audit-log.errors.ts'
import {
  countOfLog,
  type LogEntryRow,
  logEntryById,
  type LogFilter,
  ownSearch,
  pageOfLog,
  pageOfOwnLog,
  positionOf,
  searchOf,
} from './audit-log.queries.ts'

/** The whole log tells of all accounts: a token for some of them has none of it. Known once a door was opened. */
export function requireAllAccounts({ caller }: Context): void {
  if (caller?.token?.accountIds) {
    throw auditLogErrors.restrictedToken()
  }
}

/** Whether account numbers and free text are masked for the caller. Known once a door was opened. */
export const isMaskedFor = (ctx: SignedIn): boolean =>
  !profileOf(ctx).permissions.includes('auditLogTexts.read')

const cut = (found: LogEntryRow[], page: PageRequest, total: { count: number } | undefined) => ({
  ...cutPage(found, page, positionOf),
  count: total?.count ?? 0,
})

export async function listAuditLogs(
  ctx: SignedIn,
  filter: LogFilter,
  page: PageRequest,
): Promise<Page<LogEntryRow>> {
  const search = searchOf(ctx.now, filter)
  const [found, [total]] = await read(ctx, pageOfLog(search, page), countOfLog(search))
  requireAllAccounts(ctx)
  return cut(found, page, total)
}

export async function listOwnAuditLog(
  ctx: SignedIn,
  filter: LogFilter,
  page: PageRequest,
): Promise<Page<LogEntryRow>> {
  const search = ownSearch(ctx, filter)
  const [found, [total]] = await read(ctx, pageOfOwnLog(ctx, search, page), countOfLog(search))
  return cut(found, page, total)
}

export async function getAuditLog(ctx: SignedIn, id: string): Promise<LogEntryRow> {
  const [[entry]] = await read(ctx, logEntryById(id))
  requireAllAccounts(ctx)
  if (!entry) {
    throw auditLogErrors.notFound()
  }
  return entry
}
