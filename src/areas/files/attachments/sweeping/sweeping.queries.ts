import { sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context.ts'
import { objectKeyOf, ownedData } from '../../../../platform/owned-data/owned-data.ts'
import { refuseIf } from '../../../../platform/database/premises.ts'
import { conflicting } from '../../../../platform/database/refusals.ts'
import { among, db, type Statement } from '../../../../platform/database/statements.ts'
import type { StoredAttachment } from '../attachments.queries.ts'
import { TRASHED_FILE_KEPT_MS } from '../attachments.rules.ts'

export const ERASED_AT_ONCE = 250

const DAY_MS = sql.raw(String(24 * 60 * 60 * 1000))

const COLUMNS = sql.raw(
  'a.id, a.owner_id AS ownerId, a.group_id AS groupId, a.object_key AS objectKey',
)

const inTrash = ({ now }: Context) =>
  sql`SELECT ${COLUMNS} FROM attachments a
    WHERE a.deleted_at IS NOT NULL AND a.deleted_at <= ${now - TRASHED_FILE_KEPT_MS}`

const pastRetention = ({ now }: Context) =>
  sql`SELECT ${COLUMNS} FROM storage_classes c
    CROSS JOIN attachments a ON a.storage_class_id = c.id AND a.created_at <= ${now} - c.retention_days * ${DAY_MS}`

export type FileToErase = Pick<StoredAttachment, 'id' | 'ownerId' | 'groupId' | 'objectKey'>

/**
 * Some files whose time in the trash is over, or that their class keeps no longer, after this one in the order of their ids. The
 * signs keep SQLite to the indexes of what is due.
 */
export const filesToErase = (ctx: Context, after: string) =>
  db.all<FileToErase>(
    sql`${inTrash(ctx)} AND +a.id > ${after} UNION ${pastRetention(ctx)} AND +a.id > ${after}
      ORDER BY 1 LIMIT ${sql.raw(String(ERASED_AT_ONCE))}`,
  )

/** Refuses when one of these files was restored since, or its class keeps it longer. */
export const mustStillBeDue = (ctx: Context, ids: string[]): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM attachments f WHERE f.id IN ${among(ids)}
      AND f.id NOT IN (SELECT id FROM (${inTrash(ctx)} AND a.id = f.id UNION ALL ${pastRetention(ctx)} AND a.id = f.id)))`,
    conflicting,
  )

/** Finds the keys among these that a row of any table names. */
export const namedKeys = (keys: string[]) => {
  const columns = ownedData().flatMap(({ tables }) => tables.flatMap(objectKeyOf))
  const isNamed = columns.map(
    (column) => sql`EXISTS (SELECT 1 FROM ${column.table} WHERE ${column} = value)`,
  )
  return db.all<{ key: string }>(
    sql`SELECT value AS key FROM json_each(${JSON.stringify(keys)}) WHERE ${sql.join(isNamed, sql` OR `)}`,
  )
}
