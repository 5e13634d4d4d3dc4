import { carries, defineEvents } from '../../../../platform/log/events.ts'

/** An attachment that was erased because its time in the trash was over. */
export const purgedFileEvents = defineEvents('file', { purged: carries() })

export const sweptFileEvents = defineEvents('files', {
  /** The number of deleted objects that no row named. */
  swept: carries<{ files: number }>(),
})
