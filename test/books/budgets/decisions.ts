import { addLine, allPeriodsOf, namedFrom, text, type Walk } from './household.ts'
import { assigned, fundable } from './movements.ts'
import { type Budget, type Household, insideOf, type Line, linesNow } from './state.ts'
import type { Step } from './steps.ts'
import { currentOf } from './time.ts'

export const anyBudget = ({ household, random }: Walk, mode?: Budget['mode']): Budget =>
  random.pick(household.budgets.filter((one) => mode === undefined || one.mode === mode))

/** Either member changes a budget of the group. */
export const senderOf = ({ sends, random }: Walk, { isOfGroup }: Budget) =>
  isOfGroup && random.chance(0.5) ? sends[1] : sends[0]

export const anyPeriod = ({ random }: Walk, budget: Budget): string =>
  random.pick(allPeriodsOf(budget)).nominal

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

const anyPolicy = ({ random }: Walk) => random.pick(['none', 'surplus', 'deficit', 'both'] as const)

/** Says what holds of a line from the current period on. */
const setTerms: Step = async (walk) => {
  const { random } = walk
  const budget = anyBudget(walk)
  const line = random.pick(linesNow(budget))
  const before = line.terms.at(-1)
  const policy = random.chance(0.2) ? null : anyPolicy(walk)
  const cap = random.chance(0.5) ? null : BigInt(random.whole(0, 20_000))
  const amount = BigInt(random.whole(0, 50_000))
  const isLimit = budget.mode === 'limit'
  const after = {
    from: currentOf(budget),
    policy,
    cap: isLimit ? cap : (before?.cap ?? null),
    amount: isLimit ? amount : (before?.amount ?? null),
  }
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}/line/${line.id}`, {
    policy,
    ...(isLimit
      ? {
          cap: cap === null ? null : text(cap, budget.currency),
          amount: text(amount, budget.currency),
        }
      : {}),
  })
  const isSame =
    before && (['policy', 'cap', 'amount'] as const).every((one) => before[one] === after[one])
  if (!isSame) {
    line.terms = [...line.terms.filter(({ from }) => from !== after.from), after]
  }
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

/** Whose categories a budget can have now. */
const ownersIn = (household: Household, budget: Budget) =>
  new Set([
    ...insideOf(household, budget).map(({ owner }) => owner),
    ...(budget.isOfGroup ? [] : [budget.owner]),
  ])

/** Categories that a line may name: of those whose accounts are inside, in envelopes those of no other line. */
function free({ household }: Walk, budget: Budget, line?: Line): string[] {
  const owners = ownersIn(household, budget)
  const others = linesNow(budget).filter((one) => one !== line && one.kind === 'category')
  const taken = new Set(
    budget.mode === 'envelope' ? others.flatMap(({ named }) => named.map(({ id }) => id)) : [],
  )
  return household.categories
    .filter(({ id, owner, kind }) => kind === 'expense' && owners.has(owner) && !taken.has(id))
    .map(({ id }) => id)
}

const some = ({ random }: Walk, ids: string[]): string[] => [
  ...new Set(Array.from({ length: random.whole(1, 3) }, () => random.pick(ids))),
]

const setScope: Step = async (walk) => {
  const budget = anyBudget(walk)
  const lines = linesNow(budget).filter(({ kind }) => kind === 'category')
  if (lines.length === 0) {
    return false
  }
  const line = walk.random.pick(lines)
  const fitting = free(walk, budget, line)
  if (fitting.length === 0) {
    return false
  }
  const ids = some(walk, fitting)
  const scope = { kind: 'category', ids }
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}/line/${line.id}`, { scope })
  // What the budget cannot have now rests, and is not taken off.
  const owners = ownersIn(walk.household, budget)
  const rests = (id: string) =>
    walk.household.categories.some((one) => one.id === id && !owners.has(one.owner))
  const kept = line.named.filter(({ id }) => ids.includes(id) || rests(id))
  const added = ids.filter((id) => !kept.some((one) => one.id === id))
  line.named = [...kept, ...namedFrom(budget, added)]
  return true
}

const addAnyLine: Step = async (walk) => {
  const budget = anyBudget(walk)
  const fitting = free(walk, budget)
  if (linesNow(budget).length > 12 || fitting.length === 0) {
    return false
  }
  await addLine(walk, budget, { kind: 'category', ids: some(walk, fitting) })
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
  const incomes = household.categories.filter(
    ({ kind, owner }) => kind === 'income' && owner === budget.owner,
  )
  const incomeInNextPeriod = random.chance(0.5) ? [random.pick(incomes).id] : []
  const cards = insideOf(household, budget)
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
  if (budget.rule.unit !== 'month') {
    return false
  }
  const rule = { ...budget.rule, weekend: walk.random.pick(['keep', 'before', 'after'] as const) }
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}`, { period: rule })
  budget.rule = rule
  return true
}

export const decisionSteps: Record<string, Step> = {
  ...{ assign, assignMore: assign, assignAgain: assign, setAmount, setAmountAgain: setAmount },
  ...{ hold, setTerms, setPolicy, setScope, addAnyLine, setOptions, setWeekend },
}
