import { refusalOf } from '../sending.ts'
import { anyBudget, anyPeriod, senderOf } from './choices.ts'
import { envelopesOf } from './envelopes.ts'
import { allPeriodsOf, text, type Walk } from './household.ts'
import {
  type Budget,
  type Household,
  insideOf,
  isPaymentCard,
  linesIn,
  type Movement,
} from './state.ts'
import type { Step } from './steps.ts'

const POOL = 'pool'

/** Lines that money can be assigned to in a period, payment lines included. */
export const fundable = (household: Household, budget: Budget, nominal: string): string[] => [
  ...linesIn(budget, nominal).map(({ id }) => id),
  ...insideOf(household, budget)
    .filter((one) => isPaymentCard(budget, one))
    .flatMap(({ id }) => budget.paymentLines.get(id) ?? []),
]

/** Notes that money moved. */
export function moved(budget: Budget, one: Omit<Movement, 'id' | 'isUndone'>): void {
  for (const [line, amount] of [
    [one.from, -one.amount],
    [one.to, one.amount],
  ] as const) {
    const key = `${one.period} ${line}`
    if (line !== POOL) {
      budget.amounts.set(key, (budget.amounts.get(key) ?? 0n) + amount)
    }
  }
  budget.movements.push({ ...one, id: '', isUndone: false })
}

interface Assignment {
  period: string
  lineId: string
  amount: bigint
}

/** Notes that a line was assigned an amount: what it is more comes out of the pool. */
export function assigned(budget: Budget, { period, lineId, amount }: Assignment): void {
  const more = amount - (budget.amounts.get(`${period} ${lineId}`) ?? 0n)
  const shared = { period, kind: 'assign' as const }
  if (more > 0n) {
    moved(budget, { ...shared, from: POOL, to: lineId, amount: more })
  }
  if (more < 0n) {
    moved(budget, { ...shared, from: lineId, to: POOL, amount: -more })
  }
}

/** What a line has in a period, or the pool; undefined where there is no such line. */
export function availableIn(
  { household }: Walk,
  budget: Budget,
  { period, line }: { period: string; line: string },
): bigint | undefined {
  const figures = envelopesOf(household, budget, allPeriodsOf(budget)).find(
    (one) => one.period.nominal === period,
  )
  return line === POOL ? figures?.sums['toBeBudgeted'] : figures?.lines.get(line)?.['available']
}

/** Stops the walk where the service does something else than it should. */
export function mustBe(said: unknown, meant: unknown, of: string): void {
  if (said !== meant) {
    throw new Error(`${of} is ${String(said)}, and should be ${String(meant)}`)
  }
}

/** Two ends that money can move between in a period. */
function anyEnds(walk: Walk, budget: Budget) {
  const period = anyPeriod(walk, budget)
  const places = [...fundable(walk.household, budget, period), POOL]
  const from = walk.random.pick(places)
  return { period, from, to: walk.random.pick(places.filter((one) => one !== from)) }
}

const move: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const { period, ...ends } = anyEnds(walk, budget)
  const amount = BigInt(walk.random.whole(1, 9000))
  await senderOf(walk, budget)('POST', `/budget/${budget.id}/period/${period}/move`, {
    ...{ ...ends, amount: text(amount, budget.currency), allowNegative: true },
  })
  moved(budget, { period, ...ends, amount, kind: 'move' })
  return true
}

/** Moves no more than there is. */
const moveAtMost: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const { period, ...ends } = anyEnds(walk, budget)
  const there = availableIn(walk, budget, { period, line: ends.from }) ?? 0n
  const amount = there > 0n ? there + BigInt(walk.random.whole(0, 1)) : 1n
  const path = `/budget/${budget.id}/period/${period}/move`
  const json = { ...ends, amount: text(amount, budget.currency) }
  const refusal = await refusalOf(senderOf(walk, budget)('POST', path, json))
  mustBe(refusal, amount > there ? 'budgets.notEnough' : undefined, `${path} ${amount}`)
  if (!refusal) {
    moved(budget, { period, ...ends, amount, kind: 'move' })
  }
  return true
}

/** Moves what is missing on a line. */
const cover: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const { period, ...ends } = anyEnds(walk, budget)
  const missing = -(availableIn(walk, budget, { period, line: ends.to }) ?? 0n)
  const path = `/budget/${budget.id}/period/${period}/move`
  const json = { ...ends, toCover: true, allowNegative: true }
  const refusal = await refusalOf(senderOf(walk, budget)('POST', path, json))
  mustBe(refusal, missing > 0n ? undefined : 'budgets.nothingToCover', `${path} to cover`)
  if (!refusal) {
    moved(budget, { period, ...ends, amount: missing, kind: 'cover' })
  }
  return true
}

const AT_ONCE = 6

/** Many take from one line at once: some of them succeed, and they never take more than it has. */
const moveAtOnce: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  const { period, ...ends } = anyEnds(walk, budget)
  const there = availableIn(walk, budget, { period, line: ends.from }) ?? 0n
  if (there < 10n) {
    return false
  }
  const amount = there / BigInt(walk.random.whole(1, 4))
  const path = `/budget/${budget.id}/period/${period}/move`
  const json = { ...ends, amount: text(amount, budget.currency) }
  const refusals = await Promise.all(
    Array.from({ length: AT_ONCE }, () => refusalOf(senderOf(walk, budget)('POST', path, json))),
  )
  const done = refusals.filter((one) => one === undefined).length
  const isExpected = refusals.every((one) =>
    [undefined, 'budgets.notEnough', 'budgets.changedMeanwhile'].includes(one),
  )
  const isRight = done > 0 && BigInt(done) * amount <= there && isExpected
  mustBe(isRight, true, `${path} ${amount} of ${there} at once: ${refusals.join()}`)
  for (let one = 0; one < done; one += 1) {
    moved(budget, { period, ...ends, amount, kind: 'move' })
  }
  return true
}

interface SaidMovement {
  id: string
  period: string
  from: string
  to: string
  amount: string
  kind: string
  undoneBy: string | null
}

const MOST = 200

/** Compares the movements of a budget with those that were noted, and notes their ids. */
async function learnMovements({ sends }: Walk, budget: Budget): Promise<void> {
  const path = `/budget/${budget.id}/movement?limit=${MOST}`
  const { movements, count } = await sends[0]<{ movements: SaidMovement[]; count: number }>(
    'GET',
    path,
  )
  mustBe(count, budget.movements.length, `the number of movements in ${path}`)
  for (const said of movements.toReversed()) {
    const amount = (one: Movement) => text(one.amount, budget.currency)
    const meant = budget.movements.find(
      (one) =>
        one.id === said.id ||
        (one.id === '' &&
          (['period', 'from', 'to', 'kind'] as const).every((name) => one[name] === said[name]) &&
          amount(one) === said.amount),
    )
    if (!meant) {
      throw new Error(`${path} has ${JSON.stringify(said)}`)
    }
    mustBe(said.undoneBy !== null, meant.isUndone, `whether ${said.id} is undone`)
    meant.id = said.id
  }
}

/** Why a movement cannot be undone; undefined where it can. */
function obstacleTo(walk: Walk, budget: Budget, one: Movement): string | undefined {
  if (budget.closings.has(one.period)) {
    return 'budgets.periodClosed'
  }
  const { period, from, to, amount } = one
  const there = [from, to].map((line) => availableIn(walk, budget, { period, line }))
  const later = budget.movements.slice(budget.movements.indexOf(one) + 1)
  const since = later
    .filter((other) => other.period === period)
    .reduce(
      (sum, other) =>
        sum + (other.to === to ? other.amount : 0n) - (other.from === to ? other.amount : 0n),
      0n,
    )
  const isTooMuch = to !== POOL && since < 0n && (there[1] ?? 0n) < amount
  return one.isUndone || there.includes(undefined) || isTooMuch
    ? 'budgets.nothingToUndo'
    : undefined
}

const undo: Step = async (walk) => {
  const budget = anyBudget(walk, 'envelope')
  if (budget.movements.length === 0 || budget.movements.length > MOST) {
    return false
  }
  await learnMovements(walk, budget)
  const one = walk.random.pick(budget.movements)
  const obstacle = obstacleTo(walk, budget, one)
  const path = `/budget/${budget.id}/movement/${one.id}/undo`
  const refusal = await refusalOf(senderOf(walk, budget)('POST', path))
  mustBe(refusal, obstacle, `POST ${path} of ${one.from} to ${one.to}, ${one.amount}`)
  if (!refusal) {
    const { period, from, to, amount } = one
    moved(budget, { period, from: to, to: from, amount, kind: 'undo' })
    one.isUndone = true
  }
  return true
}

export const movementSteps: Record<string, Step> = {
  ...{ move, moveAtMost, cover, moveAtOnce, undo, undoAgain: undo, undoMore: undo },
}
