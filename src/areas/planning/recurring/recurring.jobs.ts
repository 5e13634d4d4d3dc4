import type { Sweep } from '../../../platform/work/tasks.ts'
import { defineJob, payloadText } from '../../../platform/work/payloads.ts'
import { SETTLE, settleDue, startDue } from './settling/settling.usecases.ts'

/** Books what is due of one owner, or tells that it is due. */
export const settleJob = defineJob({
  kind: SETTLE,
  payload: { ownerId: payloadText },
  run: settleDue,
})

export const dueSweep: Sweep = startDue
