import type { CalendarDate } from '../../../../domain/calendar.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import {
  type BudgetRow,
  currentPeriod,
  firstIndexOf,
  lastShownIndex,
  ruleOf,
} from '../budgets.rules.ts'

/** No budget shows a period that begins later, and SQLite can still add one to it. */
export const LAST_DAY = '9000-01-01'

/** The period of a day, or else the nearest one that the budget has; the current one where no day is named. */
export function periodOn(
  ctx: { now: number },
  budget: BudgetRow,
  on: CalendarDate | undefined,
): Period {
  if (on === undefined) {
    return currentPeriod(ctx, budget)
  }
  const rule = ruleOf(budget)
  const index = Math.max(periodIndexOf(rule, on), firstIndexOf(budget))
  return periodAt(rule, Math.min(index, lastShownIndex(ctx, budget)))
}
