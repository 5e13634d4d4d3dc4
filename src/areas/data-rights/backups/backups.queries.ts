import { and, desc, eq, lt, lte, sql, gt } from 'drizzle-orm'
import { archives, backupUploadParts, backupUploads } from '../../../../drizzle/schema/files.ts'
import type { tasks } from '../../../../drizzle/schema/system.ts'
import { ARCHIVE_KEPT_MS } from '../../../domain/archives.ts'
import type { Context, SignedIn } from '../../../platform/context.ts'
import { requireChangedOne, refuseIf } from '../../../platform/database/premises.ts'
import { changedMeanwhile, type Refusal, conflicting } from '../../../platform/database/refusals.ts'
import type { PageRequest } from '../../../platform/database/paging.ts'
import { PROFILE_COLUMNS, type ProfileRow } from '../../../platform/database/session.ts'
import { db, type Statement, among } from '../../../platform/database/statements.ts'
import { backupErrors } from './backups.errors.ts'
import { MOST_KEPT_BACKUPS, MOST_UPLOADS, UPLOAD_KEPT_MS } from './backups.rules.ts'
import { ownedBy } from '../../identity/access/access.public.ts'

export type ArchiveRow = typeof archives.$inferSelect

/** The columns of an archive that answers show. */
export const archiveColumns = {
  id: archives.id,
  taskId: archives.taskId,
  stored: archives.state,
  task: sql<
    (typeof tasks.$inferSelect)['state'] | null
  >`(SELECT t.state FROM tasks t WHERE t.id = ${archives.taskId})`.as('task'),
  objectKey: archives.objectKey,
  size: archives.size,
  sha256: archives.sha256,
  version: archives.version,
  finishedAt: archives.finishedAt,
  expiresAt: archives.expiresAt,
  createdAt: archives.createdAt,
  updatedAt: archives.updatedAt,
}

const isMine = ({ caller }: SignedIn) =>
  and(ownedBy(caller, archives.ownerId), eq(archives.kind, 'backup'))

/** An archive, as far as its file is concerned. */
export type ArchivedFile = Pick<
  BackupRow,
  ('id' | 'stored' | 'task' | 'objectKey') | ('size' | 'sha256' | 'createdAt' | 'version')
>

export type BackupRow = Awaited<ReturnType<typeof pageOfBackups>>[number]

/** Newest first, one row more than the page. */
export const pageOfBackups = (ctx: SignedIn, { limit, after }: PageRequest) =>
  db
    .select(archiveColumns)
    .from(archives)
    .where(and(isMine(ctx), after?.[0] === undefined ? undefined : lt(archives.id, after[0])))
    .orderBy(desc(archives.id))
    .limit(limit + 1)

export const countOfBackups = (ctx: SignedIn) =>
  db
    .select({ count: sql<number>`count(*)`.as('count') })
    .from(archives)
    .where(isMine(ctx))

export const backupById = (ctx: SignedIn, id: string) =>
  db
    .select({ ...archiveColumns, manifest: archives.manifest })
    .from(archives)
    .where(and(isMine(ctx), eq(archives.id, id)))

/** Refuses while another one is being made, and when there are as many as are kept. */
export const insertBackup = (archive: ArchiveRow): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM archives a JOIN tasks t ON t.id = a.task_id
      WHERE a.owner_id = ${archive.ownerId} AND a.kind = 'backup' AND a.state = 'queued'
        AND t.state IN ('queued', 'running'))`,
    backupErrors.underWay,
  ),
  refuseIf(
    sql`(SELECT count(*) FROM archives a
      WHERE a.owner_id = ${archive.ownerId} AND a.kind = 'backup' AND a.state = 'ready') >= ${MOST_KEPT_BACKUPS}`,
    backupErrors.tooMany,
  ),
  insertArchive(archive),
]

export const insertArchive = (archive: ArchiveRow): Statement => db.insert(archives).values(archive)

/** An archive that is to be made, and whoever it is made for as the session check would find them. */
export const archiveToMake = (id: string, kind: ArchiveRow['kind']) =>
  db.all<Pick<ArchiveRow, 'objectKey' | 'filter' | 'scheduleId'> & ProfileRow>(
    sql`SELECT a.object_key AS objectKey, a.filter, a.schedule_id AS scheduleId, ${sql.raw(PROFILE_COLUMNS)}
      FROM archives a JOIN users u ON u.id = a.owner_id WHERE a.id = ${id} AND a.kind = ${kind} AND a.state = 'queued'`,
  )

/** While it is not made. Refuses when nobody wants it any more. */
export const changeQueuedBackup = (
  ctx: Context,
  id: string,
  changed: Partial<ArchiveRow>,
  notFound: Refusal,
): Statement[] => [
  db
    .update(archives)
    .set({ ...changed, version: sql`${archives.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(archives.id, id), eq(archives.state, 'queued'))),
  requireChangedOne(notFound),
]

/**
 * Keeps the newest exports of each schedule of a user, as many as it says and as fit into the storage quota: they do not expire.
 * What was kept until now, and is not any more, expires seven days after it was made.
 * @param atLeast the earliest time at which that may be
 */
export const keepScheduledExports = (ownerId: string, atLeast: number): Statement =>
  db.run(sql`UPDATE archives SET expires_at = CASE
      WHEN id IN (SELECT w.id FROM (SELECT k.id, sum(k.size) OVER (ORDER BY k.id DESC) AS bytes
          FROM (SELECT a.id, a.size, s.keep, row_number() OVER (PARTITION BY s.id ORDER BY a.id DESC) AS place
            FROM export_schedules s JOIN archives a ON a.schedule_id = s.id AND a.owner_id = s.owner_id
            WHERE s.owner_id = ${ownerId} AND a.kind = 'export' AND a.state = 'ready') k
          WHERE k.place <= k.keep) w
        WHERE w.bytes <= ifnull((SELECT c.quota_bytes - ifnull((SELECT u.bytes FROM storage_usage u
            WHERE u.storage_class_id = c.id AND u.holder_id = ${ownerId}), 0)
          FROM storage_classes c WHERE c.is_default = 1), w.bytes))
      THEN NULL
      ELSE ifnull(expires_at, max(created_at + ${ARCHIVE_KEPT_MS}, ${atLeast})) END
    WHERE owner_id = ${ownerId} AND kind = 'export' AND state = 'ready' AND schedule_id IS NOT NULL`)

export const deleteArchiveRow = ({
  id,
  version,
}: Pick<BackupRow, 'id' | 'version'>): Statement[] => [
  db.delete(archives).where(and(eq(archives.id, id), eq(archives.version, version))),
  requireChangedOne(changedMeanwhile),
]

export type ArchiveToExpire = Pick<ArchiveRow, 'id' | 'ownerId' | 'objectKey'>

/**
 * Some archives of any kind whose time is over, and that may have an object, after this one in the order of their ids. The signs
 * keep SQLite to the index of what is due.
 */
export const archivesToExpire = (now: number, after: string, limit: number) =>
  db
    .select({ id: archives.id, ownerId: archives.ownerId, objectKey: archives.objectKey })
    .from(archives)
    .where(
      and(
        lte(archives.expiresAt, now),
        sql`object_key IS NOT NULL`,
        sql`+${archives.id} > ${after}`,
      ),
    )
    .orderBy(sql`+${archives.id}`)
    .limit(limit)

/** The object is gone; what was in it is shown no more. */
export const expireArchives = (ctx: Context, ids: string[]): Statement =>
  db
    .update(archives)
    .set({
      state: 'expired',
      objectKey: null,
      manifest: null,
      version: sql`${archives.version} + 1`,
      updatedAt: ctx.now,
    })
    .where(
      and(
        sql`${archives.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
        lte(archives.expiresAt, ctx.now),
      ),
    )

export type UploadRow = typeof backupUploads.$inferSelect
export type PartRow = typeof backupUploadParts.$inferSelect

/** One of the caller that has not expired. */
export const uploadById = (ctx: SignedIn, id: string) =>
  db
    .select()
    .from(backupUploads)
    .where(
      and(
        ownedBy(ctx.caller, backupUploads.ownerId),
        eq(backupUploads.id, id),
        gt(backupUploads.expiresAt, ctx.now),
      ),
    )

/** In order. */
export const partsOfUpload = (ctx: SignedIn, uploadId: string) =>
  db
    .select()
    .from(backupUploadParts)
    .where(
      and(ownedBy(ctx.caller, backupUploadParts.ownerId), eq(backupUploadParts.uploadId, uploadId)),
    )
    .orderBy(backupUploadParts.number)

/** Refuses when there are as many as one may have. */
export const insertUpload = (row: UploadRow): Statement[] => [
  refuseIf(
    sql`(SELECT count(*) FROM backup_uploads u
      WHERE u.owner_id = ${row.ownerId} AND u.expires_at > ${row.createdAt}) >= ${MOST_UPLOADS}`,
    backupErrors.tooManyUploads,
  ),
  db.insert(backupUploads).values(row),
]

/** Stores a part, also in the place of the one of its number, as long as its upload has not been checked. */
export const putPart = (ctx: Context, row: PartRow): Statement[] => [
  db
    .update(backupUploads)
    .set({ ...used(ctx), version: sql`${backupUploads.version} + 1`, updatedAt: ctx.now })
    .where(and(eq(backupUploads.id, row.uploadId), sql`checked_at IS NULL`)),
  requireChangedOne(conflicting),
  db
    .insert(backupUploadParts)
    .values(row)
    .onConflictDoUpdate({
      target: [backupUploadParts.uploadId, backupUploadParts.number],
      set: { objectKey: row.objectKey, size: row.size, sha256: row.sha256 },
    }),
]

/** Keeps an upload that is used. */
export const keepUpload = (ctx: Context, { id }: Pick<UploadRow, 'id'>): Statement[] => [
  db.update(backupUploads).set(used(ctx)).where(eq(backupUploads.id, id)),
  requireChangedOne(changedMeanwhile),
]

/**
 * Notes that the bytes of the parts have the declared hash. Refuses when a part was replaced meanwhile. Nothing has changed where
 * the only new version is that another request noted the same.
 */
export const markChecked = (
  ctx: Context,
  { id, version }: Pick<UploadRow, 'id' | 'version'>,
): Statement[] => [
  db
    .update(backupUploads)
    .set({
      ...{ ...used(ctx), checkedAt: ctx.now, updatedAt: ctx.now },
      version: version + 1,
    })
    .where(
      and(
        eq(backupUploads.id, id),
        sql`(version = ${version} OR version = ${version + 1} AND checked_at IS NOT NULL)`,
      ),
    ),
  requireChangedOne(changedMeanwhile),
]

const used = ({ now }: Context) => ({ expiresAt: now + UPLOAD_KEPT_MS })

export interface UploadToExpire {
  id: string
  /** JSON. */
  objectKeys: string
}

/**
 * Some uploads that nobody used for a day, after this one in the order of their ids. The signs keep SQLite to the index of what
 * is due.
 */
export const uploadsToExpire = (now: number, after: string, limit: number) =>
  db.all<UploadToExpire>(
    sql`SELECT u.id, (SELECT json_group_array(p.object_key) FROM backup_upload_parts p WHERE p.upload_id = u.id)
        AS objectKeys
      FROM backup_uploads u WHERE u.expires_at <= ${now} AND +u.id > ${after} ORDER BY +u.id LIMIT ${limit}`,
  )

/** Refuses when one of them was used since it expired. */
export const deleteExpired = (ctx: Context, ids: string[]): Statement[] => [
  refuseIf(
    sql`EXISTS (SELECT 1 FROM backup_uploads u WHERE u.id IN ${among(ids)} AND u.expires_at > ${ctx.now})`,
    conflicting,
  ),
  ...deleteUploads(ids),
]

export const deleteUploads = (ids: string[]): Statement[] => [
  db.delete(backupUploadParts).where(sql`${backupUploadParts.uploadId} IN ${among(ids)}`),
  db.delete(backupUploads).where(sql`${backupUploads.id} IN ${among(ids)}`),
]
