import { defineJob, optional, payloadText } from '../../../../platform/work/payloads.ts'
import { START_SCHEDULED, startScheduled } from './schedules.usecases.ts'

/** Starts, every night, the exports that schedules have made on this day. */
export const startScheduledJob = defineJob({
  kind: START_SCHEDULED,
  payload: { after: optional(payloadText) },
  run: startScheduled,
})
