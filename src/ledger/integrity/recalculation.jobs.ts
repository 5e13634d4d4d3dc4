import { defineJob, integer, optional, text } from '../../platform/work/payloads.ts'
import { RECALCULATE, recalculate } from './recalculation.usecases.ts'

export const recalculateJob = defineJob({
  kind: RECALCULATE,
  payload: {
    after: optional(text),
    accounts: optional(integer),
    differing: optional(integer),
  },
  run: recalculate,
})
