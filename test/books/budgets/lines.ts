import { refusalOf } from '../sending.ts'
import { anyBudget, anyPeriod, anyPolicy, senderOf } from './choices.ts'
import { addLine, namedFrom, text, type Walk } from './household.ts'
import { moved, mustBe } from './movements.ts'
import {
  type Budget,
  type Household,
  insideOf,
  type Line,
  linesNow,
  type News,
  say,
} from './state.ts'
import type { Step } from './steps.ts'
import { currentOf } from './time.ts'

/** Says what holds of a line from a period on: the current one, where none is named. */
const setTerms: Step = async (walk) => {
  const { random } = walk
  const budget = anyBudget(walk)
  // Mostly of the same line, so that some changes go between others.
  const line = random.pick(linesNow(budget).slice(0, random.chance(0.7) ? 1 : undefined))
  const { currency } = budget
  const isLimit = budget.mode === 'limit'
  const named = random.chance(0.4) ? anyPeriod(walk, budget) : undefined
  const limits: News[] = [
    { of: 'cap', value: random.chance(0.5) ? null : BigInt(random.whole(0, 20_000)) },
    { of: 'amount', value: BigInt(random.whole(0, 50_000)) },
  ]
  const policy: News = { of: 'policy', value: random.chance(0.2) ? null : anyPolicy(walk) }
  const said = [policy, ...(isLimit ? limits : [])].filter(() => random.chance(0.7))
  const fields = said.map(({ of, value }) => [
    of,
    typeof value === 'bigint' ? text(value, currency) : value,
  ])
  await senderOf(walk, budget)('PUT', `/budget/${budget.id}/line/${line.id}`, {
    ...Object.fromEntries(fields),
    ...(named === undefined ? {} : { from: named }),
  })
  const from = named ?? currentOf(budget)
  for (const one of said) {
    say(line, { ...one, from })
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
    !walk.household.categories.some((one) => one.id === id && owners.has(one.owner))
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

/** Ends a line with the current period: another one takes over what it names and has, or the pool does. */
const endLine: Step = async (walk) => {
  const { random, sends } = walk
  const budget = anyBudget(walk)
  const there = linesNow(budget)
  if (there.length < 5) {
    return false
  }
  const line = random.pick(there)
  const others = there.filter((one) => one !== line && one.kind === line.kind)
  const into = others.length > 0 && random.chance(0.6) ? random.pick(others) : null
  const path = `/budget/${budget.id}/line/${line.id}`
  const query = into ? `?reassignTo=${into.id}` : random.chance(0.5) ? '?reassignTo=pool' : ''
  await senderOf(walk, budget)('DELETE', `${path}${query}`)
  const refusal = await refusalOf(sends[0]('GET', path))
  const isErased = refusal === 'budgets.lineNotFound'
  const hasAmounts = [...budget.amounts].some(
    ([key, amount]) => key.endsWith(line.id) && amount !== null && amount !== 0n,
  )
  mustBe(isErased && hasAmounts, false, `whether ${path} with amounts is erased`)
  end(budget, line, into)
  if (isErased) {
    budget.lines = budget.lines.filter((one) => one !== line)
  }
  return true
}

function end(budget: Budget, line: Line, into: Line | null): void {
  const from = currentOf(budget)
  for (const one of line.named.filter(({ until }) => until === null)) {
    const isThere = into?.named.some(({ id, until }) => id === one.id && until === null)
    if (!isThere) {
      into?.named.push({ id: one.id, from, until: null })
    }
    one.until = from
  }
  for (const below of linesNow(budget).filter(({ parentLineId }) => parentLineId === line.id)) {
    below.parentLineId = line.parentLineId
  }
  line.endsIn = from
  line.into = into?.id ?? null
  for (const [key, amount] of budget.amounts) {
    const [period = '', id] = key.split(' ')
    if (id !== line.id || period < from) {
      continue
    }
    if (budget.mode === 'envelope' && amount) {
      const to = into?.id ?? 'pool'
      const ends = amount > 0n ? { from: line.id, to } : { from: to, to: line.id }
      moved(budget, { period, ...ends, amount: amount > 0n ? amount : -amount, kind: 'move' })
    }
    budget.amounts.delete(key)
  }
}

export const lineSteps: Record<string, Step> = {
  setTerms,
  setTermsAgain: setTerms,
  setScope,
  addAnyLine,
  endLine,
}
