import { defineJob, optional, payloadText, payloadDate } from '../../../platform/work/payloads.ts'
import type { AreaCheck } from '../../../ledger/integrity/integrity.public.ts'
import type { Sweep } from '../../../platform/work/tasks.ts'
import {
  MAKE_CHECKPOINTS,
  makeCheckpoints,
  checkBudgets,
} from './checkpoints/checkpoints.usecases.ts'
import { watchBudgets } from './alerts/alerts.usecases.ts'
import { TELL_EXPIRED, tellExpired } from './members/members.usecases.ts'

/** Stores every night the checkpoints that budgets lack, and those of one budget when a write or a sweep had to do without. */
export const makeCheckpointsJob = defineJob({
  kind: MAKE_CHECKPOINTS,
  payload: { budgetId: optional(payloadText), after: optional(payloadText) },
  run: makeCheckpoints,
})

export const budgetCheck: AreaCheck = { name: 'budgets', step: checkBudgets }

export const watchBudgetsSweep: Sweep = watchBudgets

export const tellExpiredJob = defineJob({
  kind: TELL_EXPIRED,
  // The day of the night in which it was started: another try may be on the next day.
  payload: { day: optional(payloadDate) },
  run: tellExpired,
})
