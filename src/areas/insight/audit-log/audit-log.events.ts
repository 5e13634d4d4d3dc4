import { carries, defineEvents } from '../../../platform/events.ts'

export const auditLogEvents = defineEvents('auditLog', {
  sealed: carries<{ number: number; hash: string }>(),
  segmentStored: carries<{ first: number; last: number; sha256: string }>(),
  /** All rows that a segment has were deleted. */
  cut: carries<{ first: number; last: number }>(),
})
