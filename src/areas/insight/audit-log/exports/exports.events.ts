import { type Created, carries, defineEvents } from '../../../../platform/events.ts'
import type { StoredWish } from './exports.queries.ts'

export const exportEvents = defineEvents('auditLog', {
  exportRequested: carries<Created<StoredWish>>(),
  exportBegun: carries(),
  exported: carries<{ entries: number }>(),
})
