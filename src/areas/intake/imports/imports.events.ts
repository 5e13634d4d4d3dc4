import { carries, type Created, defineEvents, lifecycleOf } from '../../../platform/log/events.ts'
import type { RowCounts } from '../../../domain/imports/counts.ts'
import type { StoredProfile } from './profiles/profiles.queries.ts'

/** The facts of an import that the log keeps. They contain no cell of its file. */
export interface ImportFacts {
  fileName: string
  size: number
  sha256: string
}

export const importEvents = defineEvents('import', {
  uploaded: carries<Created<ImportFacts>>(),
  mapped: carries<{ fields: string[] }>(),
  read: carries<{ counts: RowCounts }>(),
  failed: carries<{ error: string }>(),
  rowsDecided: carries<{ rows: number }>(),
  committed: carries(),
  booked: carries<{ rows: number }>(),
  finished: carries<{ counts: RowCounts }>(),
  cancelled: carries(),
  reverting: carries(),
  reverted: carries<{ removed: number; restored: number }>(),
  deleted: carries(),
  expired: carries(),
})

export const importProfileEvents = defineEvents('importProfile', lifecycleOf<StoredProfile>())
