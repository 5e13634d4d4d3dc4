import { storageClasses, storageUsage } from '../../../../drizzle/schema/files.ts'
import type { OwnedData } from '../../../platform/owned-data/owned-data.ts'

/** The settings of administrators, and sums that triggers keep; nobody owns either. */
export const storageClassData: OwnedData = {
  area: 'storage-classes',
  tables: [storageClasses, storageUsage],
}
