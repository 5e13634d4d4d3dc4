import type { Sweep } from '../../../platform/work/tasks.ts'
import { defineJob, payloadText } from '../../../platform/work/payloads.ts'
import { LINK, linkTransactions } from './linking/automatic.usecases.ts'
import { SETTLE, settleDue, startDue } from './settling/settling.usecases.ts'

/** Books what is due of one owner, or tells that it is due. */
export const settleJob = defineJob({
  kind: SETTLE,
  payload: { ownerId: payloadText },
  run: settleDue,
})

/** Links transactions of one owner to occurrences that wait for them. */
export const linkJob = defineJob({
  kind: LINK,
  payload: { ownerId: payloadText, from: payloadText, to: payloadText },
  run: linkTransactions,
})

export const dueSweep: Sweep = startDue
