import { carries, defineEvents } from '../../../platform/log/events.ts'
import type { Manifest } from './backups.rules.ts'

export const backupEvents = defineEvents('backup', {
  requested: carries(),
  begun: carries(),
  made: carries<Pick<Manifest, 'counts'>>(),
  deleted: carries(),
  uploadDeleted: carries(),
  uploadBegun: carries<{ size: number; sha256: string }>(),
  restoreRequested: carries<{ sha256: string; dryRun: boolean }>(),
  rowsRestored: carries<Record<string, number>>(),
  restored: carries<{ contentHash: string; counts: Record<string, number> }>(),
  restoreFailed: carries<{ code: string }>(),
  verified: carries<{ contentHash: string; faultCount: number }>(),
})

/** Backups and exports of the log. */
export const archiveEvents = defineEvents('archive', {
  expired: carries(),
})
