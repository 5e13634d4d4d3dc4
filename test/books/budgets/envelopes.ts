import { addDays } from '../../../src/domain/calendar.ts'
import { allocate } from '../../../src/domain/money.ts'
import {
  added,
  type Counts,
  countsOf,
  isExcluded,
  isInside,
  keyOf,
  linesOver,
  type Sorter,
  type Sums,
} from './counting.ts'
import {
  type Account,
  type Budget,
  type Household,
  insideOf,
  isPaymentCard,
  linesIn,
  termsOf,
} from './state.ts'
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
  carry: Carry
  /** All that counted in it, also what was late. */
  counted: Sums
  isDecided: boolean
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
  let late: Sums = new Map()
  const all = periods.map((period, at): EnvelopePeriod => {
    const before = at === 0 ? heldBefore : 0n
    const closed = budget.closings.get(period.nominal)
    if (closed && 'worth' in closed) {
      // What is booked into it from now on is late.
      const live = added(counts.all(period), new Map([[keyOf('opening'), before]]))
      late = added(added(late, live), closed.counted, -1n)
      carry = closed.carry
      return closed
    }
    const made = fold(budget, counts, period, { carry, heldBefore: before, late })
    carry = made.carry
    late = new Map()
    return made
  })
  return all.map((one, at) => {
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

/** The line that has in a period what a line had before: it itself, or the one that took over; null for the pool. */
function heirOf(budget: Budget, id: string, there: Set<string>): string | null {
  const line = budget.lines.find((one) => one.id === id)
  if (there.has(id) || !line) {
    return there.has(id) ? id : null
  }
  return line.into === null ? null : heirOf(budget, line.into, there)
}

/** What lines carry into a period: what ended lines have goes to those that took over from them, or to the pool. */
function carryInto(
  { carried, released }: Carry,
  heir: (id: string) => string | null,
): Pick<Carry, 'carried' | 'released'> {
  const into = new Map<string, bigint>()
  let toPool = released
  for (const [id, amount] of carried) {
    const at = heir(id)
    if (at === null) {
      toPool += amount
    } else {
      into.set(at, (into.get(at) ?? 0n) + amount)
    }
  }
  return { carried: into, released: toPool }
}

const FIGURES = ['opening', 'income', 'deferred', 'adjustments', ...OUTSIDE]

/** What is late, where it counts now: that of ended lines on those that took over from them, or outside of lines. */
function lateHere(late: Sums, heir: (id: string) => string | null): Sums {
  const here = [...late].map(([key, amount]): Sums => {
    const [name = '', card] = key.split('|')
    const isFigure = [...FIGURES, 'payments', 'pending'].includes(name)
    return new Map([[keyOf(isFigure ? name : (heir(name) ?? 'uncovered'), card), amount]])
  })
  return here.reduce((all, one) => added(all, one), new Map<string, bigint>())
}

interface Before {
  carry: Carry
  heldBefore: bigint
  late: Sums
}

function fold(
  budget: Budget,
  counts: Counts,
  period: Period,
  { carry, heldBefore, late: allLate }: Before,
): EnvelopePeriod {
  const cards = counts.inside
    .filter((account) => isPaymentCard(budget, account))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const linesHere = linesIn(budget, period.nominal)
  const lineOf = ({ id }: Account) => budget.paymentLines.get(id) ?? ''
  const there = new Set([...linesHere.map(({ id }) => id), ...cards.map(lineOf)])
  const heir = (id: string) => heirOf(budget, id, there)
  const late = lateHere(allLate, heir)
  const sums = added(counts.all(period), late)
  const of = (name: string, card = '') => sums.get(keyOf(name, card)) ?? 0n
  const lateOf = (name: string, card = '') => late.get(keyOf(name, card)) ?? 0n
  // Cards that left count no more but for what is late on them: what was booked on them while they were inside.
  const cardsOfLate = [...late.keys()].map((key) => key.split('|')[1] ?? '')
  const cardIds = [...new Set([...cards.map(({ id }) => id), ...cardsOfLate])]
    .filter((id) => id !== '')
    .toSorted()
  const places = ['', ...cardIds]
  const everywhere = (name: string) => total(places.map((at) => of(name, at)))
  const assignedTo = (id: string) => budget.amounts.get(`${period.nominal} ${id}`) ?? 0n
  const lines = new Map<string, Figures>()
  const { carried, released: toPool } = carryInto(carry, heir)
  let released = toPool
  const next: Carry = { carried: new Map(), released: 0n, pool: 0n, worth: 0n }
  const movedTo = new Map(cardIds.map((id) => [id, 0n]))
  for (const line of linesHere) {
    const [carriedIn, assigned] = [carried.get(line.id) ?? 0n, assignedTo(line.id)]
    const onCards = cardIds.map((id) => of(line.id, id))
    const onCash = of(line.id)
    const refunded = total(onCards.filter((one) => one > 0n))
    const spent = onCards.map((one) => (one < 0n ? -one : 0n))
    const owed = total(spent)
    const covered = least(owed, most(0n, carriedIn + assigned + onCash + refunded))
    const shares = owed === 0n ? spent : allocate(Number(covered), spent.map(Number)).map(BigInt)
    for (const [at, id] of cardIds.entries()) {
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
    const lateActivity = total(places.map((at) => lateOf(line.id, at)))
    lines.set(line.id, {
      ...{ carriedIn, assigned, activity, lateActivity, available, cashOverspent, creditOverspent },
    })
  }
  const overspent = total(
    [...lines.values()].map((one) => (one['cashOverspent'] ?? 0n) + (one['creditOverspent'] ?? 0n)),
  )
  const credit = total([...lines.values()].map((one) => one['creditOverspent'] ?? 0n))
  for (const cardId of cardIds) {
    const payments = of('payments', cardId)
    const moved = movedTo.get(cardId) ?? 0n
    const other = -total(FIGURES.map((name) => of(name, cardId)))
    const activity = moved - payments + other
    const card = cards.find(({ id }) => id === cardId)
    if (!card) {
      // Nothing is put aside for it any more.
      released += activity
      continue
    }
    const id = lineOf(card)
    const [carriedIn, assigned] = [carried.get(id) ?? 0n, assignedTo(id)]
    const available = carriedIn + assigned + activity
    const held = counts.heldOn(card, period.end)
    const owed = -(counts.convert(held, card.currency, counts.dayOf(period)) ?? 0n)
    const lateActivity = -total(['payments', ...FIGURES].map((name) => lateOf(name, cardId)))
    next.carried.set(id, available)
    lines.set(id, {
      ...{ carriedIn, assigned, activity, lateActivity, available, cashOverspent: 0n },
      ...{ creditOverspent: 0n, moved, payments, owed, debt: most(0n, owed - available) },
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
  const [dated, adjustments] = [everywhere('opening'), everywhere('adjustments')]
  const onCash = [...linesHere.map(({ id }) => id), ...FIGURES]
  const paid = total(cardIds.map((id) => of('payments', id)))
  const counted = total(onCash.map((name) => of(name))) - paid
  const exchangeDifference = worth - (carry.worth + heldBefore) - counted
  const assigned = total(rows.map((one) => one['assigned'] ?? 0n))
  const held = budget.held.get(period.nominal) ?? 0n
  const opening = dated + heldBefore
  const toBeBudgeted =
    carry.pool +
    total([opening, income, adjustments, ...Object.values(outside), released]) +
    exchangeDifference -
    assigned -
    held
  const latePool = total(FIGURES.flatMap((name) => places.map((at) => lateOf(name, at))))
  const toClose = added(sums, new Map([[keyOf('opening'), heldBefore]]))
  return {
    ...{ period, lines, outside, worth },
    unconverted: new Map(linesHere.map(({ id }) => [id, counts.unconverted(period, id)])),
    isDecided: held !== 0n || rows.some((one) => one['assigned'] !== 0n),
    sums: {
      ...{ fromBefore: carry.pool, opening, income, adjustments, released },
      ...{ exchangeDifference, assigned, held, deferred, toBeBudgeted, overspent, latePool },
      ...(budget.countPending ? {} : { pending: everywhere('pending') }),
      credit,
    },
    carry: { ...next, pool: toBeBudgeted + held + deferred, worth },
    // What is pending counts once it is cleared.
    counted: new Map([...toClose].filter(([key]) => !key.startsWith('pending|'))),
  }
}
