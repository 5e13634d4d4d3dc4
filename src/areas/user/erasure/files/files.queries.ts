import { sql } from 'drizzle-orm'
import { among, db } from '../../../../platform/statements.ts'
import type { Kind } from '../erasure.rules.ts'

// What has an object in the bucket, which goes before its row.

const STEP = sql.raw('250')

/** Files that the user uploaded, also into a group and onto what others own, and those in the trash. */
export const attachments: Kind = {
  name: 'files',
  find: ({ ownerId, before }) =>
    db.all(sql`SELECT a.id, a.object_key AS objectKey FROM attachments a
      WHERE a.owner_id = ${ownerId} AND a.created_at <= ${before} LIMIT ${STEP}`),
  erase: (ids) => [
    db.run(sql`DELETE FROM attachment_links WHERE attachment_id IN ${among(ids)}`),
    db.run(sql`DELETE FROM attachments WHERE id IN ${among(ids)}`),
  ],
}

export const avatars: Kind = {
  name: 'avatar',
  find: ({ ownerId }) =>
    db.all(sql`SELECT v.user_id AS id, v.object_key AS objectKey FROM user_avatars v
      WHERE v.user_id = ${ownerId}`),
  erase: (ids) => [db.run(sql`DELETE FROM user_avatars WHERE user_id IN ${among(ids)}`)],
}

/** Also those that are being made: whoever makes one finds no row to end with, and deletes its object. */
export const archives: Kind = {
  name: 'archives',
  find: ({ ownerId }) =>
    db.all(sql`SELECT r.id, r.object_key AS objectKey FROM archives r
      WHERE r.owner_id = ${ownerId} LIMIT ${STEP}`),
  erase: (ids) => [db.run(sql`DELETE FROM archives WHERE id IN ${among(ids)}`)],
}
