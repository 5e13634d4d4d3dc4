import {
  archives,
  backupUploadParts,
  backupUploads,
  restoredRows,
  restores,
} from '../../../../drizzle/schema/files.ts'
import { expireRestores } from './restoring/running.usecases.ts'
import { sql } from 'drizzle-orm'
import { type OwnedData, type OwnedRows, ownRows } from '../../../platform/owned-data/owned-data.ts'
import { among, db } from '../../../platform/database/statements.ts'

const ROWS_PER_STEP = 1000

/** The records of merges about rows, until the merges have ended. */
const ownRestoredRows: OwnedRows = {
  name: 'restoredRows',
  find: ({ ownerId }) =>
    db.all(sql`SELECT row_id AS id FROM restored_rows
      WHERE owner_id = ${ownerId} LIMIT ${sql.raw(String(ROWS_PER_STEP))}`),
  erase: (ids, { ownerId }) => [
    db.run(sql`DELETE FROM restored_rows WHERE owner_id = ${ownerId} AND row_id IN ${among(ids)}`),
  ],
}

export const archiveData: OwnedData = {
  area: 'backups',
  tables: [archives, backupUploads, backupUploadParts, restores, restoredRows],
  erase: [
    // Also those that are being made: whoever makes one finds no row to end with, and deletes its object.
    ownRows('archives', archives),
    ownRestoredRows,
    ownRows('restores', restores),
    ownRows('backupUploadParts', backupUploadParts),
    ownRows('backupUploads', backupUploads, { referredToBy: [backupUploadParts.uploadId] }),
  ],
  purge: ({ now }) => [expireRestores(now)],
}
