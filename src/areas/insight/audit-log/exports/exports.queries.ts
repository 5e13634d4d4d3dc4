import { and, eq, sql } from 'drizzle-orm'
import { archives } from '../../../../../drizzle/schema/files.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../../platform/database/premises.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import { auditLogErrors } from '../audit-log.errors.ts'
import type { LogFilter } from '../audit-log.queries.ts'
import type { LogExportFormat } from '../audit-log.rules.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'

type ArchiveRow = typeof archives.$inferSelect

/** The request for an export. */
export interface LogExportRequest extends LogFilter {
  format: LogExportFormat
}

/** The stored form of the request. */
export interface StoredWish extends LogExportRequest {
  /** True if account numbers and free text are masked, as they were for the requesting user. */
  isMasked: boolean
}

const KIND = 'auditLog'

export type ExportRow = Awaited<ReturnType<typeof exportById>>[number]

/** Finds an export of the caller. */
export const exportById = ({ caller }: SignedIn, id: string) =>
  db
    .select({
      id: archives.id,
      taskId: archives.taskId,
      stored: archives.state,
      task: sql<string | null>`(SELECT t.state FROM tasks t WHERE t.id = ${archives.taskId})`.as(
        'task',
      ),
      filter: archives.filter,
      objectKey: archives.objectKey,
      size: archives.size,
      sha256: archives.sha256,
      manifest: archives.manifest,
      version: archives.version,
      finishedAt: archives.finishedAt,
      expiresAt: archives.expiresAt,
      createdAt: archives.createdAt,
      updatedAt: archives.updatedAt,
    })
    .from(archives)
    .where(and(eq(archives.id, id), ownedBy(caller, archives.ownerId), eq(archives.kind, KIND)))

/** Refuses while another one of the same person is being made. */
export const insertExport = (
  archive: Omit<typeof archives.$inferInsert, 'kind' | 'state'>,
): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM archives a JOIN tasks t ON t.id = a.task_id
      WHERE a.owner_id = ${archive.ownerId} AND a.kind = ${KIND} AND a.state = 'queued'
        AND t.state IN ('queued', 'running'))`,
    auditLogErrors.exportUnderWay,
  ),
  db.insert(archives).values({ ...archive, kind: KIND, state: 'queued' }),
]

export const exportToMake = (id: string) =>
  db
    .select({
      ownerId: archives.ownerId,
      filter: archives.filter,
      objectKey: archives.objectKey,
      createdAt: archives.createdAt,
    })
    .from(archives)
    .where(and(eq(archives.id, id), eq(archives.state, 'queued')))

/** While it is not made. Refuses when nobody wants it any more. */
export const changeQueuedLogExport = (
  ctx: Context,
  id: string,
  changed: Partial<ArchiveRow>,
): Statement[] => [
  db
    .update(archives)
    .set({ ...changed, version: sql`${archives.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(archives.id, id), eq(archives.state, 'queued'))),
  requireChangedOne(auditLogErrors.unknownExport),
]

/** Some of those that have an object, whoever asked for them: what the log no more says of somebody they may say. */
export const standingExports = () =>
  db.all<{ id: string; objectKey: string }>(
    sql`SELECT id, object_key AS objectKey FROM archives
      WHERE expires_at > 0 AND object_key IS NOT NULL AND kind = ${KIND} LIMIT 250`,
  )

/** The objects are gone, and what was searched for. Whoever makes one of them finds no row to end with. */
export const endExports = ({ now }: Context, ids: string[]): Statement =>
  db.run(sql`UPDATE archives SET state = 'expired', object_key = NULL, manifest = NULL,
      filter = json_object('format', filter->>'format'), version = version + 1, updated_at = ${now}
    WHERE id IN ${among(ids)}`)
