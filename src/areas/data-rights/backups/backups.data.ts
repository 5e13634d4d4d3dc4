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
    // What a restore reports goes with what it brought.
    ownRows('restores', restores, { wipedWith: ['transactions', 'accounts'] }),
    ownRows('backupUploadParts', backupUploadParts),
    ownRows('backupUploads', backupUploads, { referredToBy: [backupUploadParts.uploadId] }),
  ],
  purge: ({ now }) => [expireRestores(now)],
}
