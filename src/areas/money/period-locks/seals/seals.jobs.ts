import { defineJob, payloadText } from '../../../../platform/work/payloads.ts'
import { SEAL_LOCK, sealPeriodLock } from './seals.usecases.ts'

/** Seals a lock that covers very many lines. */
export const sealPeriodLockJob = defineJob({
  kind: SEAL_LOCK,
  payload: { lockId: payloadText },
  run: sealPeriodLock,
})
