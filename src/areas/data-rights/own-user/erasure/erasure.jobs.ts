import {
  defineJob,
  payloadText,
  integer,
  payloadList,
  oneOf,
} from '../../../../platform/work/payloads.ts'
import { WIPE_KINDS } from '../../../../domain/owned-data.ts'
import { ERASE_USER, eraseUser, scheduleErasures, wipe, WIPE_DATA } from './erasure.usecases.ts'

/** Finds, every night, the users whose grace period is over. */
export const scheduleErasuresJob = defineJob({
  kind: 'user.scheduleErasures',
  payload: {},
  run: (ctx, _payload, finish) => scheduleErasures(ctx, finish),
})

export const eraseUserJob = defineJob({
  kind: ERASE_USER,
  payload: { userId: payloadText },
  run: (ctx, { userId }, finish) => eraseUser(ctx, userId, finish),
})

export const wipeDataJob = defineJob({
  kind: WIPE_DATA,
  payload: {
    userId: payloadText,
    kinds: payloadList(oneOf(WIPE_KINDS)),
    requestedAt: integer,
    dueAt: integer,
  },
  run: wipe,
})
