import { archives, backupUploadParts, backupUploads } from '../../../../drizzle/schema/files.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'

export const archiveData: OwnedData = {
  area: 'backups',
  tables: [archives, backupUploads, backupUploadParts],
  erase: [
    // Also those that are being made: whoever makes one finds no row to end with, and deletes its object.
    ownRows('archives', archives),
    ownRows('backupUploadParts', backupUploadParts),
    ownRows('backupUploads', backupUploads, { referredToBy: [backupUploadParts.uploadId] }),
  ],
}
