import { sql } from 'drizzle-orm'
import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { refuseIf } from '../../../../platform/premises.ts'
import type { Statement } from '../../../../platform/statements.ts'
import { isInside } from '../../../identity/access/access.public.ts'
import { budgetErrors } from '../budgets.errors.ts'

/**
 * Refuses to show the closed periods of a personal budget to a group where its owner has private transactions by their end: what
 * was closed counts them on lines, and stays as it is.
 */
export const mustHideNothing = (ctx: SignedIn, budgetId: string, end: CalendarDate): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM budgets b CROSS JOIN transactions t ON t.owner_id IN (
          SELECT accounts.owner_id FROM accounts WHERE ${isInside(ctx.now, 'b')} UNION SELECT b.owner_id)
        AND t.private = 1 AND (t.owner_id = b.owner_id OR t.created_by = b.owner_id)
      WHERE b.id = ${budgetId} AND b.owner_id IS NOT NULL AND t.date <= ${end})`,
    budgetErrors.closedPrivate,
  )

/** Refuses where people receive the budget: its group alone decides who sees it from then on. */
export const mustBeUnshared = (budgetId: string): Statement =>
  refuseIf(
    sql`EXISTS (SELECT 1 FROM shares WHERE budget_id = ${budgetId})`,
    budgetErrors.stillShared,
  )
