import { AppError } from '../../../../domain/errors.ts'
import { isCalendarDate, isTimeZone } from '../../../../domain/calendar.ts'
import { checkPeriodRule } from '../../../../domain/budgets/periods.ts'
import { owns } from '../../../identity/access/access.public.ts'
import { columnsOfRule } from '../budget-input.rules.ts'
import { budgetErrors } from '../budgets.errors.ts'
import { type BudgetRow, parsedList, requireFewPeriods, ruleOf } from '../budgets.rules.ts'
import { type LineRow, MOST_BUDGET_LINES } from '../lines/lines.rules.ts'

/** Tells whether a deleted budget is in the caller's trash: a group's is in that of the owner of the group. */
export const isInOwnTrash = (
  { caller }: { caller: { userId: string } },
  { ownerId, groupOwnerId }: BudgetRow,
): boolean => owns(caller, { ownerId: ownerId ?? groupOwnerId })

const notRestorable = (problem: string, cause?: unknown) =>
  budgetErrors.notRestorable({ problem }, { cause })

/**
 * Checks a budget in the trash as one that is created: it may have come there in an archive.
 * @throws budgets.notRestorable
 */
export function requireCreatable(budget: BudgetRow): void {
  const rule = ruleOf(budget)
  if (!isTimeZone(budget.timeZone)) {
    throw notRestorable('its time zone is unknown')
  }
  if (!isCalendarDate(budget.startsOn)) {
    throw notRestorable('its start is not a day of the years 1900 to 2200')
  }
  try {
    checkPeriodRule(rule)
    const { firstPeriod, firstDay } = columnsOfRule(rule, budget.startsOn)
    if (firstPeriod !== budget.firstPeriod || firstDay !== budget.firstDay) {
      throw notRestorable('its first period does not contain its start')
    }
    requireFewPeriods({ now: budget.createdAt }, budget)
  } catch (error) {
    throw error instanceof AppError && error.kind === 'invalid'
      ? notRestorable('its periods are invalid', error)
      : error
  }
  if (!arePercents(budget.thresholds)) {
    throw notRestorable('its thresholds are not whole percents')
  }
}

/** @throws budgets.notRestorable */
export function requireCreatableLines(lines: readonly LineRow[]): void {
  if (lines.filter(({ kind }) => kind === 'line').length > MOST_BUDGET_LINES) {
    throw notRestorable(`it has more than ${MOST_BUDGET_LINES} lines`)
  }
  if (!lines.every(({ thresholds }) => thresholds === null || arePercents(thresholds))) {
    throw notRestorable('the thresholds of a line are not whole percents')
  }
}

const MOST_THRESHOLDS = 10
const MOST_PERCENT = 500

function arePercents(json: string): boolean {
  const percents = parsedList<unknown>(json)
  return (
    Array.isArray(percents) &&
    percents.length <= MOST_THRESHOLDS &&
    percents.every(
      (percent) =>
        typeof percent === 'number' &&
        Number.isInteger(percent) &&
        percent >= 1 &&
        percent <= MOST_PERCENT,
    )
  )
}
