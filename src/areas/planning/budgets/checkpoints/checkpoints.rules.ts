import type { CalendarDate } from '../../../../domain/calendar.ts'
import { type Period, periodAt, periodIndexOf } from '../../../../domain/budgets/periods.ts'
import { firstIndexOf, ruleOf } from '../budgets.rules.ts'
import type { BudgetFigures } from '../figures/envelopes.rules.ts'
import type { BudgetFacts } from '../figures/figures.rules.ts'

/** Periods that change often, and are worked out on each read. */
const RECENT = 3

/** The distance between checkpoints of older periods, in periods. */
const APART = 12

/** A read that has to work out more periods than this leaves a task for whoever writes next. */
const MANY = 24

/**
 * The periods that should have a checkpoint: the one three before the current one, and one in twelve before it. These are
 * counted from the first period, so that they stay as time goes on.
 */
export function checkpointPeriods(
  budget: Parameters<typeof firstIndexOf>[0],
  today: CalendarDate,
): Period[] {
  const rule = ruleOf(budget)
  const first = firstIndexOf(budget)
  const last = periodIndexOf(rule, today) - RECENT
  const older = Array.from(
    { length: Math.max(0, Math.floor((last - first) / APART)) },
    (_, at) => first + (at + 1) * APART - 1,
  )
  return [...older, ...(last < first ? [] : [last])].map((index) => periodAt(rule, index))
}

/** Returns the state of a period for a checkpoint; undefined if the period was not calculated. */
export function imageOf(figures: BudgetFigures, index: number): string | undefined {
  if (figures.mode === 'limit') {
    const found = figures.periods.find(({ period }) => period.index === index)
    return found && JSON.stringify({ after: found.after })
  }
  const found = figures.periods.find(({ period }) => period.index === index)
  return found && JSON.stringify({ after: found.after, balances: found.balances })
}

/** Tells whether checkpoints are missing, because too many periods had to be calculated. */
export const lacksCheckpoints = ({ periods }: BudgetFigures, fromIndex: number): boolean =>
  fromIndex - (periods[0]?.period.index ?? fromIndex) > MANY

/** The accounts that a checkpoint is made from, as `ACCOUNTS_OF_CHECKPOINT` writes them. */
export const madeFrom = ({ accounts }: Pick<BudgetFacts, 'accounts'>): string =>
  accounts
    .map(({ id, currency, type }) => `${id} ${currency} ${Number(type === 'creditCard')}`)
    .join(',')
