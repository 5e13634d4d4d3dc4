import { archives } from '../../../../drizzle/schema/files.ts'
import { type OwnedData, ownRows } from '../../../platform/owned-data.ts'

export const archiveData: OwnedData = {
  area: 'backups',
  tables: [archives],
  // Also those that are being made: whoever makes one finds no row to end with, and deletes its object.
  erase: [ownRows('archives', archives)],
}
