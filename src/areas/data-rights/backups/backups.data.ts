import {
  archives,
  backupUploadParts,
  backupUploads,
  restores,
} from '../../../../drizzle/schema/files.ts'
import { expireRestores } from './restoring/running.usecases.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'

export const archiveData: OwnedData = {
  area: 'backups',
  tables: [archives, backupUploads, backupUploadParts, restores],
  erase: [
    // Also those that are being made: whoever makes one finds no row to end with, and deletes its object.
    ownRows('archives', archives),
    ownRows('restores', restores),
    ownRows('backupUploadParts', backupUploadParts),
    ownRows('backupUploads', backupUploads, { referredToBy: [backupUploadParts.uploadId] }),
  ],
  purge: ({ now }) => [expireRestores(now)],
}
