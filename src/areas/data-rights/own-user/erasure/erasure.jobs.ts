import type { Job } from '../../../../platform/tasks.ts'
import { ERASE_USER, eraseUser, scheduleErasures } from './erasure.usecases.ts'

/** Finds, every night, the users whose grace period is over. */
export const scheduleErasuresJob: Job = {
  kind: 'user.scheduleErasures',
  run: (ctx, _payload, finish) => scheduleErasures(ctx, finish),
}

export const eraseUserJob: Job = {
  kind: ERASE_USER,
  run: (ctx, payload, finish) => eraseUser(ctx, (payload as { userId: string }).userId, finish),
}
