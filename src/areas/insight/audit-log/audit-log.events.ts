import { carries, defineEvents, type Created } from '../../../platform/log/events.ts'
import type { StoredWish } from './exports/exports.queries.ts'

export const auditLogEvents = defineEvents('auditLog', {
  sealed: carries<{ number: number; hash: string }>(),
  segmentStored: carries<{ first: number; last: number; sha256: string }>(),
  /** All rows that a segment has were deleted. */
  cut: carries<{ first: number; last: number }>(),
})

export const exportEvents = defineEvents('auditLog', {
  exportRequested: carries<Created<StoredWish>>(),
  exportBegun: carries(),
  exported: carries<{ entries: number }>(),
})
