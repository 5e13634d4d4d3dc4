import { carries, defineEvents } from '../../../../platform/events.ts'

/** A file that was erased, its time being over. */
export const fileEvents = defineEvents('file', { purged: carries() })

export const filesEvents = defineEvents('files', {
  /** How many objects were deleted that no row named. */
  swept: carries<{ files: number }>(),
})
