import { WIPE_KINDS } from '../../../../domain/owned-data.ts'
import { defineJob, integer, listOf, oneOf, text } from '../../../../platform/work/payloads.ts'
import { wipe, WIPE_DATA } from './wipe.usecases.ts'

export const wipeDataJob = defineJob({
  kind: WIPE_DATA,
  payload: {
    userId: text,
    kinds: listOf(oneOf(WIPE_KINDS)),
    requestedAt: integer,
    dueAt: integer,
  },
  run: wipe,
})
