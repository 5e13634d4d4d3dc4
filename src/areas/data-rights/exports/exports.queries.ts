import { and, desc, eq, lt, type SQL, sql } from 'drizzle-orm'
import { archives } from '../../../../drizzle/schema/files.ts'
import type { LedgerFilter } from '../../../ledger/search/search.public.ts'
import { ARCHIVE_KEPT_MS } from '../../../domain/archives.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { refuseIf } from '../../../platform/database/premises.ts'
import { db, pageUpToBytes, type Statement } from '../../../platform/database/statements.ts'
import { isUnrestricted, ownedBy, visibleAccountIds } from '../../identity/access/access.public.ts'
import { type ArchiveRow, archiveColumns, insertArchive } from '../backups/backups.public.ts'
import { exportErrors } from './exports.errors.ts'
import {
  type ExportContent,
  type ExportFormat,
  MOST_EXPORTS,
  MOST_UNDER_WAY,
} from './exports.rules.ts'

/** The data that an export selects. */
export interface ExportScope extends Omit<LedgerFilter, 'accountId' | 'accountIds' | 'condition'> {
  accountId?: string[] | undefined
  /** As it was sent: names of the line mean what has them when the export is made. */
  q?: string | undefined
  /** As it was sent: names of periods mean the days on which the export is made. */
  condition?: Record<string, unknown> | undefined
  shared: boolean
  what: ExportContent[]
}

export interface ExportOptions {
  locale?: string | undefined
  keepDigits?: boolean | undefined
  assertions?: boolean | undefined
}

export interface ExportRequest {
  format: ExportFormat
  options: ExportOptions
  scope: ExportScope
}

/** The fields of a request that are stored. */
export interface StoredExport extends ExportRequest {
  /** All accounts that it covers; null where that is decided by the scope when it is made. */
  accountIds: string[] | null
  /** The accounts that the access token is restricted to; null where all accounts of transfers may be named. */
  restrictedTo: string[] | null
}

const KIND = 'export'

/** Own ones; a token that is restricted to some accounts sees only those that were made with such a token. */
const isMine = (ctx: SignedIn): SQL | undefined =>
  and(
    ownedBy(ctx.caller, archives.ownerId),
    eq(archives.kind, KIND),
    sql`(${isUnrestricted(ctx)} OR (json_type(${archives.filter}, '$.restrictedTo') = 'array'
      AND NOT EXISTS (SELECT 1 FROM json_each(${archives.filter}, '$.restrictedTo') named
        WHERE named.value NOT IN (${visibleAccountIds(ctx)}))))`,
  )

const columns = {
  ...archiveColumns,
  scheduleId: archives.scheduleId,
  filter: archives.filter,
  manifest: archives.manifest,
}

export type DataExportRow = Awaited<ReturnType<typeof pageOfExports>>[number]

/** Newest first, one row more than the page. */
export const pageOfExports = (ctx: SignedIn, { limit, after }: PageRequest) =>
  pageUpToBytes(
    db
      .select(columns)
      .from(archives)
      .where(and(isMine(ctx), after?.[0] === undefined ? undefined : lt(archives.id, after[0])))
      .orderBy(desc(archives.id))
      .limit(limit + 1),
  )

export const countOfExports = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(archives)
    .where(isMine(ctx))

export const dataExportById = (ctx: SignedIn, id: string) =>
  db
    .select(columns)
    .from(archives)
    .where(and(isMine(ctx), eq(archives.id, id)))

/** A row of an export that is to be made. */
export const queuedExport = (
  { now }: Context,
  made: Pick<ArchiveRow, 'id' | 'ownerId' | 'taskId' | 'scheduleId'>,
  wish: StoredExport,
): ArchiveRow => ({
  ...made,
  kind: KIND,
  state: 'queued',
  filter: JSON.stringify(wish),
  objectKey: null,
  size: null,
  sha256: null,
  manifest: null,
  finishedAt: null,
  // Also of what never gets ready: something may be left of it.
  expiresAt: now + ARCHIVE_KEPT_MS,
  version: 1,
  createdAt: now,
  updatedAt: now,
})

/** Refuses while others are being made, and when there are as many as are kept. Those of schedules do not count. */
export const insertDataExport = (archive: ArchiveRow): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM archives a JOIN tasks t ON t.id = a.task_id
      WHERE a.owner_id = ${archive.ownerId} AND a.kind = ${KIND} AND a.state = 'queued'
        AND a.schedule_id IS NULL AND t.state IN ('queued', 'running')) >= ${MOST_UNDER_WAY}`,
    exportErrors.underWay,
  ),
  refuseIf(
    sql`(SELECT count(*) FROM archives a
      WHERE a.owner_id = ${archive.ownerId} AND a.kind = ${KIND} AND a.state = 'ready'
        AND a.schedule_id IS NULL) >= ${MOST_EXPORTS}`,
    tooManyExports,
  ),
  insertArchive(archive),
]

const tooManyExports = () =>
  exportErrors.tooMany({ most: MOST_EXPORTS, what: 'exports to download' })
