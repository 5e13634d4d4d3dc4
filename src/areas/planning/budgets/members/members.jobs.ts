import { date, defineJob, optional } from '../../../../platform/payloads.ts'
import { TELL_EXPIRED, tellExpired } from './members.usecases.ts'

export const tellExpiredJob = defineJob({
  kind: TELL_EXPIRED,
  // Of the night that it was started in: another try may be on the next day.
  payload: { day: optional(date) },
  run: tellExpired,
})
