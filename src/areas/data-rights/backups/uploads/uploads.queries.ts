import { and, eq, gt, sql } from 'drizzle-orm'
import { backupUploadParts, backupUploads } from '../../../../../drizzle/schema/files.ts'
import type { Context, SignedIn } from '../../../../platform/context.ts'
import { refuseIf, requireChangedOne } from '../../../../platform/premises.ts'
import { changedMeanwhile, conflicting } from '../../../../platform/refusals.ts'
import { among, db, type Statement } from '../../../../platform/statements.ts'
import { ownedBy } from '../../../identity/access/access.public.ts'
import { backupErrors } from '../backups.errors.ts'
import { MOST_UPLOADS, UPLOAD_KEPT_MS } from './uploads.rules.ts'

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
export const partsOf = (ctx: SignedIn, uploadId: string) =>
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
