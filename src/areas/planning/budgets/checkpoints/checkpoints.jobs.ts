import { defineJob, optional, text } from '../../../../platform/payloads.ts'
import type { AreaCheck } from '../../../../ledger/integrity/integrity.public.ts'
import { MAKE_CHECKPOINTS, makeCheckpoints } from './checkpoints.usecases.ts'
import { checkBudgets } from './checks.usecases.ts'

/** Stores every night the checkpoints that budgets lack, and those of one budget when a write or a sweep had to do without. */
export const makeCheckpointsJob = defineJob({
  kind: MAKE_CHECKPOINTS,
  payload: { budgetId: optional(text), after: optional(text) },
  run: makeCheckpoints,
})

export const budgetCheck: AreaCheck = { name: 'budgets', step: checkBudgets }
