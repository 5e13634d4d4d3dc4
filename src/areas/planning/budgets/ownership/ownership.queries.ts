import { sql } from 'drizzle-orm'
import { refuseIf } from '../../../../platform/premises.ts'
import { db, type Statement } from '../../../../platform/statements.ts'
import { isClosedOverPrivate } from '../../../identity/access/access.public.ts'
import { budgetErrors } from '../budgets.errors.ts'

/** Refuses to show the closed periods of a personal budget to a group where they may count private transactions. */
export const mustHideNothing = (budgetId: string): Statement =>
  refuseIf(isClosedOverPrivate(budgetId), budgetErrors.closedPrivate)

/** Forgets what was told of a personal budget: the sums count private transactions. The watch tells anew what is still reached. */
export const deleteAlerts = (budgetId: string): Statement =>
  db.run(sql`DELETE FROM budget_alerts WHERE budget_id = ${budgetId}`)

/** Refuses where people receive the budget: its group alone decides who sees it from then on. */
export const mustBeUnshared = (budgetId: string): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM shares WHERE budget_id = ${budgetId})`,
    budgetErrors.stillShared,
  )
