import { defineJob } from '../../../../platform/payloads.ts'
import { TELL_EXPIRED, tellExpired } from './departures.usecases.ts'

export const tellExpiredJob = defineJob({ kind: TELL_EXPIRED, payload: {}, run: tellExpired })
