import type { CalendarDate } from '../../../../domain/calendar.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import {
  type BudgetRow,
  currentPeriod,
  firstIndexOf,
  MOST_PERIODS,
  ruleOf,
} from '../budgets.rules.ts'

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
  const first = firstIndexOf(budget)
  const index = Math.min(Math.max(periodIndexOf(rule, on), first), first + MOST_PERIODS - 1)
  return periodAt(rule, index)
}
