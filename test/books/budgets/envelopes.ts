import { addDays } from '../../../src/domain/calendar.ts'
import { allocate } from '../../../src/domain/money.ts'
import { type Counts, countsOf, isExcluded, isInside, linesOver, type Sorter } from './counting.ts'
import { type Budget, type Household, insideOf, isPaymentCard, linesIn, termsOf } from './state.ts'
import type { Period } from './time.ts'

export const OUTSIDE = ['uncategorised', 'uncovered', 'excluded', 'transfers', 'private'] as const

const total = (amounts: bigint[]): bigint => amounts.reduce((sum, one) => sum + one, 0n)
const most = (one: bigint, other: bigint): bigint => (one > other ? one : other)
const least = (one: bigint, other: bigint): bigint => (one < other ? one : other)

export type Figures = Record<string, bigint>

export interface EnvelopePeriod {
  period: Period
  sums: Figures
  outside: Figures
  lines: Map<string, Figures>
  /** By line. */
  unconverted: Map<string, Map<string, bigint>>
  /** What the cash accounts are worth at the end: what all money in the budget adds up to. */
  worth: bigint
}

function sorterOf(household: Household, budget: Budget): Sorter {
  const inside = insideOf(household, budget)
  const cards = new Set(inside.filter((one) => isPaymentCard(budget, one)).map(({ id }) => id))
  return ({ accountId, flow, categoryId, counter }, isHidden, nominal) => {
    const isOnCard = cards.has(accountId)
    if (flow === 'opening' || flow === 'adjustment') {
      return isOnCard ? [] : [flow === 'opening' ? 'opening' : 'adjustments']
    }
    if (flow === 'transfer' && isInside(household, inside, counter)) {
      return isOnCard ? ['payments'] : []
    }
    if (isHidden) {
      return ['private']
    }
    if (flow === 'income') {
      const isNext = categoryId !== null && budget.incomeInNextPeriod.includes(categoryId)
      return [isNext ? 'deferred' : 'income']
    }
    if (categoryId === null) {
      return [flow === 'transfer' ? 'transfers' : 'uncategorised']
    }
    if (isExcluded(household, categoryId)) {
      return ['excluded']
    }
    return [linesOver(household, budget, { categoryId, nominal })[0] ?? 'uncovered']
  }
}

/** What the lines of one period carry into the next one. */
interface Carry {
  carried: Map<string, bigint>
  released: bigint
  pool: bigint
  worth: bigint
}

export function envelopesOf(
  household: Household,
  budget: Budget,
  periods: Period[],
): EnvelopePeriod[] {
  const isCard = (account: Parameters<typeof isPaymentCard>[1]) => isPaymentCard(budget, account)
  const counts = countsOf(household, budget, {
    ...{ sort: sorterOf(household, budget), isCard, periods },
  })
  const cash = counts.inside.filter((account) => !isCard(account))
  const dayBefore = addDays(periods[0]?.start ?? '', -1)
  const heldBefore = total(cash.map((account) => counts.worthOn(account, dayBefore)))
  let carry: Carry = { carried: new Map(), released: 0n, pool: 0n, worth: 0n }
  const all = periods.map((period, at) => {
    const made = fold(budget, counts, period, { carry, heldBefore: at === 0 ? heldBefore : 0n })
    carry = made.carry
    return made
  })
  return all.map(({ carry: _, ...one }, at) => {
    const later = all.slice(at + 1)
    const decided = later.filter(({ isDecided }) => isDecided)
    const pools = [one, ...decided].map(({ sums }) => sums['toBeBudgeted'] ?? 0n)
    return {
      ...one,
      sums: {
        ...one.sums,
        assignedAhead: total(later.map(({ sums }) => sums['assigned'] ?? 0n)),
        free: pools.reduce(least),
      },
    }
  })
}

/** What lines carry into a period: what ended lines have goes to those that took over from them, or to the pool. */
function carryInto(
  { lines }: Budget,
  nominal: string,
  { carried, released }: Carry,
): Pick<Carry, 'carried' | 'released'> {
  const into = new Map<string, bigint>()
  let toPool = released
  for (const [id, amount] of carried) {
    let at: string | null = id
    for (;;) {
      const line = lines.find((one) => one.id === at)
      if (!line || line.endsIn === null || nominal < line.endsIn) {
        break
      }
      at = line.into
    }
    if (at === null) {
      toPool += amount
    } else {
      into.set(at, (into.get(at) ?? 0n) + amount)
    }
  }
  return { carried: into, released: toPool }
}

function fold(
  budget: Budget,
  counts: Counts,
  period: Period,
  { carry, heldBefore }: { carry: Carry; heldBefore: bigint },
) {
  const cards = counts.inside
    .filter((account) => isPaymentCard(budget, account))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const places = ['', ...cards.map(({ id }) => id)]
  const everywhere = (name: string) => total(places.map((at) => counts.of(period, name, at)))
  const assignedTo = (id: string) => budget.amounts.get(`${period.nominal} ${id}`) ?? 0n
  const lines = new Map<string, Figures>()
  const { carried, released } = carryInto(budget, period.nominal, carry)
  const linesHere = linesIn(budget, period.nominal)
  const next: Carry = { carried: new Map(), released: 0n, pool: 0n, worth: 0n }
  const movedTo = new Map(cards.map(({ id }) => [id, 0n]))
  for (const line of linesHere) {
    const [carriedIn, assigned] = [carried.get(line.id) ?? 0n, assignedTo(line.id)]
    const onCards = cards.map(({ id }) => counts.of(period, line.id, id))
    const onCash = counts.of(period, line.id)
    const refunded = total(onCards.filter((one) => one > 0n))
    const spent = onCards.map((one) => (one < 0n ? -one : 0n))
    const owed = total(spent)
    const covered = least(owed, most(0n, carriedIn + assigned + onCash + refunded))
    const shares = owed === 0n ? spent : allocate(Number(covered), spent.map(Number)).map(BigInt)
    for (const [at, { id }] of cards.entries()) {
      const moved = (onCards[at] ?? 0n) > 0n ? -(onCards[at] ?? 0n) : (shares[at] ?? 0n)
      movedTo.set(id, (movedTo.get(id) ?? 0n) + moved)
    }
    const activity = onCash + total(onCards)
    const available = carriedIn + assigned + activity
    const creditOverspent = owed - covered
    const adjusted = available + creditOverspent
    const { policy } = termsOf(budget, line, period.nominal)
    const isCarried = policy === 'both' || policy === (adjusted > 0n ? 'surplus' : 'deficit')
    next.carried.set(line.id, isCarried ? adjusted : 0n)
    next.released += isCarried ? 0n : adjusted
    const cashOverspent = most(0n, -adjusted)
    lines.set(line.id, {
      ...{ carriedIn, assigned, activity, available, cashOverspent, creditOverspent },
    })
  }
  const overspent = total(
    [...lines.values()].map((one) => (one['cashOverspent'] ?? 0n) + (one['creditOverspent'] ?? 0n)),
  )
  const credit = total([...lines.values()].map((one) => one['creditOverspent'] ?? 0n))
  for (const card of cards) {
    const id = budget.paymentLines.get(card.id) ?? ''
    const [carriedIn, assigned] = [carried.get(id) ?? 0n, assignedTo(id)]
    const payments = counts.of(period, 'payments', card.id)
    const moved = movedTo.get(card.id) ?? 0n
    const other = -total(
      ['income', 'deferred', ...OUTSIDE].map((name) => counts.of(period, name, card.id)),
    )
    const activity = moved - payments + other
    const available = carriedIn + assigned + activity
    const held = counts.heldOn(card, period.end)
    const owed = -(counts.convert(held, card.currency, counts.dayOf(period)) ?? 0n)
    next.carried.set(id, available)
    lines.set(id, {
      ...{ carriedIn, assigned, activity, available, cashOverspent: 0n, creditOverspent: 0n },
      ...{ moved, payments, owed, debt: most(0n, owed - available) },
    })
  }
  const rows = [...lines.values()]
  const worth = total(
    counts.inside
      .filter((account) => !isPaymentCard(budget, account))
      .map((account) => {
        const held = counts.heldOn(account, period.end)
        return counts.convert(held, account.currency, counts.dayOf(period)) ?? 0n
      }),
  )
  const outside = Object.fromEntries(OUTSIDE.map((name) => [name, everywhere(name)]))
  const [income, deferred] = [everywhere('income'), everywhere('deferred')]
  const [dated, adjustments] = [counts.of(period, 'opening'), counts.of(period, 'adjustments')]
  const onCash = [...linesHere.map(({ id }) => id), ...OUTSIDE]
  const counted = total(
    [...onCash, 'income', 'deferred', 'opening', 'adjustments'].map((name) =>
      counts.of(period, name),
    ),
  )
  const paid = total(cards.map(({ id }) => counts.of(period, 'payments', id)))
  const exchangeDifference = worth - (carry.worth + heldBefore) - (counted - paid)
  const assigned = total(rows.map((one) => one['assigned'] ?? 0n))
  const held = budget.held.get(period.nominal) ?? 0n
  const opening = dated + heldBefore
  const toBeBudgeted =
    carry.pool +
    total([opening, income, adjustments, ...Object.values(outside), released]) +
    exchangeDifference -
    assigned -
    held
  const pending = budget.countPending ? {} : { pending: counts.of(period, 'pending') }
  return {
    ...{ period, lines, outside, worth },
    unconverted: new Map(linesHere.map(({ id }) => [id, counts.unconverted(period, id)])),
    isDecided: held !== 0n || rows.some((one) => one['assigned'] !== 0n),
    sums: {
      ...{ fromBefore: carry.pool, opening, income, adjustments, released },
      ...{ exchangeDifference, assigned, held, deferred, toBeBudgeted, overspent, ...pending },
      credit,
    },
    carry: { ...next, pool: toBeBudgeted + held + deferred, worth },
  }
}
