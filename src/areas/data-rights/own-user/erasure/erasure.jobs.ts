import { defineJob, text } from '../../../../platform/work/payloads.ts'
import { ERASE_USER, eraseUser, scheduleErasures } from './erasure.usecases.ts'

/** Finds, every night, the users whose grace period is over. */
export const scheduleErasuresJob = defineJob({
  kind: 'user.scheduleErasures',
  payload: {},
  run: (ctx, _payload, finish) => scheduleErasures(ctx, finish),
})

export const eraseUserJob = defineJob({
  kind: ERASE_USER,
  payload: { userId: text },
  run: (ctx, { userId }, finish) => eraseUser(ctx, userId, finish),
})
