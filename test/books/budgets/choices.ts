import type { Send } from '../books.ts'
import { allPeriodsOf, type Walk } from './household.ts'
import type { Budget, Policy } from './state.ts'

export const anyBudget = ({ household, random }: Walk, mode?: Budget['mode']): Budget =>
  random.pick(household.budgets.filter((one) => mode === undefined || one.mode === mode))

/** Either member changes a budget of the group. */
export const senderOf = ({ sends, random }: Walk, { isOfGroup }: Budget): Send =>
  isOfGroup && random.chance(0.5) ? sends[1] : sends[0]

/** An open period. */
export const anyPeriod = ({ random }: Walk, budget: Budget): string =>
  random.pick(allPeriodsOf(budget).filter(({ nominal }) => !budget.closings.has(nominal))).nominal

export const anyPolicy = ({ random }: Walk): Policy =>
  random.pick(['none', 'surplus', 'deficit', 'both'] as const)
