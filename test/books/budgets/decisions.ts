import { text, type Walk } from './household.ts'
import { anyBudget, anyPeriod, anyPolicy, senderOf } from './choices.ts'
import { assigned, fundable } from './movements.ts'
import { insideOf, linesNow } from './state.ts'
import type { Step } from './steps.ts'
import { currentOf } from './time.ts'

const anyAmount = ({ random }: Walk): bigint =>
  BigInt(random.chance(0.1) ? 0 : random.whole(-3000, 30_000))

const assign: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const { random, household } = walk
  const period = anyPeriod(walk, budget)
  const lines = fundable(household, budget, period)
  const from = random.whole(0, lines.length - 1)
  const items = lines
    .slice(from, from + random.whole(1, 3))
    .map((lineId) => ({ lineId, amount: anyAmount(walk) }))
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}/period/${period}/allocation`, {
    items: items.map(({ lineId, amount }) => ({ lineId, assigned: text(amount, budget.currency) })),
  })
  for (const { lineId, amount } of items) {
    assigned(budget, { period, lineId, amount })
  }
  return true
}

const setAmount: Step = async (walk) => {
  const budget = anyBudget(walk, 'limit')
  const period = anyPeriod(walk, budget)
  const { id } = walk.random.pick(linesNow(budget))
  const amount = walk.random.chance(0.2) ? null : BigInt(walk.random.whole(0, 60_000))
  const path = `/budget/${budget.id}/period/${period}/allocation/${id}`
  const json = { amount: amount === null ? null : text(amount, budget.currency) }
  await senderOf(walk, budget)('PUT', path, json)
  budget.amounts.set(`${period} ${id}`, amount)
  return true
}

const hold: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const period = anyPeriod(walk, budget)
  const amount = BigInt(walk.random.chance(0.3) ? 0 : walk.random.whole(1, 20_000))
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}/period/${period}/hold`, {
    ...{ amount: text(amount, budget.currency), allowNegative: true },
  })
  budget.held.set(period, amount)
  return true
}

const setPolicy: Step = async (walk) => {
  const budget = anyBudget(walk)
  const policy = anyPolicy(walk)
  const from = currentOf(budget)
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}`, { policy })
  if (policy !== budget.policies.at(-1)?.policy) {
    budget.policies = [...budget.policies.filter((one) => one.from !== from), { from, policy }]
  }
  return true
}

const setOptions: Step = async (walk) => {
  const { household, random } = walk
  const budget = anyBudget(walk)
  const countPending = random.chance(0.5)
  if (budget.mode === 'limit') {
    const countTransfers = random.chance(0.5)
    await senderOf(walk, budget)('PUT', `/budget/${budget.id}`, { countPending, countTransfers })
    Object.assign(budget, { countPending, countTransfers })
    return true
  }
  const inside = insideOf(household, budget)
  const incomes = household.categories.filter(
    ({ kind, owner }) => kind === 'income' && owner === budget.owner,
  )
  // Only of somebody who has an account in the budget.
  const isTheirs = inside.some(({ owner }) => owner === budget.owner)
  const incomeInNextPeriod = isTheirs && random.chance(0.5) ? [random.pick(incomes).id] : []
  const cards = inside
    .filter(({ type }) => type === 'creditCard')
    .map(({ id }) => ({
      accountId: id,
      handling: random.chance(0.3) ? ('cash' as const) : ('payment' as const),
    }))
  const json = { countPending, incomeInNextPeriod, cards }
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}`, json)
  Object.assign(budget, { countPending, incomeInNextPeriod, cards })
  return true
}

/** Paydays on other days; the names of the periods stay. */
const setWeekend: Step = async (walk) => {
  const budget = anyBudget(walk)
  if (budget.rule.unit !== 'month' || budget.closings.size > 0) {
    return false
  }
  const rule = { ...budget.rule, weekend: walk.random.pick(['keep', 'before', 'after'] as const) }
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}`, { period: rule })
  budget.rule = rule
  return true
}

export const decisionSteps: Record<string, Step> = {
  ...{ assign, assignMore: assign, assignAgain: assign, setAmount, setAmountAgain: setAmount },
  ...{ hold, setPolicy, setOptions, setWeekend },
}
