import { anyBudget } from './choices.ts'
import { learnPaymentLines } from './comparison.ts'
import { envelopesOf } from './envelopes.ts'
import { allPeriodsOf, type Walk } from './household.ts'
import { limitsOf } from './limits.ts'
import type { Budget } from './state.ts'
import type { Step } from './steps.ts'
import { today } from './time.ts'

/** Closes the oldest open period of a budget, if it has ended: its figures stay from then on. */
export async function close(walk: Walk, budget: Budget): Promise<boolean> {
  const { household, sends } = walk
  await learnPaymentLines(walk, budget)
  const periods = allPeriodsOf(budget)
  const all =
    budget.mode === 'envelope'
      ? envelopesOf(household, budget, periods)
      : limitsOf(household, budget, periods)
  const oldest = all.find(({ period }) => !budget.closings.has(period.nominal))
  if (!oldest || oldest.period.end >= today()) {
    return false
  }
  const { nominal } = oldest.period
  await sends[budget.owner]('POST', `/budget/${budget.id}/period/${nominal}/close`)
  budget.closings.set(nominal, oldest)
  return true
}

/** Opens the newest closed period of a budget: all in it is live again. */
export async function reopen({ sends }: Walk, budget: Budget): Promise<boolean> {
  const newest = [...budget.closings.keys()].at(-1)
  if (newest === undefined) {
    return false
  }
  const path = `/budget/${budget.id}/period/${newest}/reopen`
  await sends[budget.owner]('POST', path, { reason: 'Checked again' })
  budget.closings.delete(newest)
  return true
}

export const closingSteps: Record<string, Step> = {
  close: (walk) => close(walk, anyBudget(walk)),
  closeAgain: (walk) => close(walk, anyBudget(walk)),
  reopen: (walk) => reopen(walk, anyBudget(walk)),
}
