import { type Convert, converterInto } from './rates.ts'
import {
  type Account,
  accountOf,
  type Booking,
  type Budget,
  type Household,
  insideOf,
  linesIn,
  type Member,
  namesOf,
  pathOf,
  type Single,
} from './state.ts'
import { type Period, today } from './time.ts'

/** What one booking moved on one account, for one purpose. */
interface Move {
  accountId: string
  date: string
  flow: Single['kind'] | 'transfer'
  amount: bigint
  categoryId: string | null
  /** The other side of a transfer. */
  counter: string | null
  isPending: boolean
  isPrivate: boolean
  /** Those who see it though it is private. */
  seers: Member[]
  labels: string[]
}

export function movesOf(household: Household, booking: Booking): Move[] {
  const { date, status } = booking
  if (status === 'void') {
    return []
  }
  const shared = { date, isPending: status === 'pending', counter: null, labels: [] }
  if (booking.is === 'single') {
    const { accountId, kind, isPrivate, author, parts } = booking
    const seers = [author, accountOf(household, accountId).owner]
    return parts.flatMap(({ amount, categoryId, payeeId, tagIds, transfer }): Move[] => {
      if (transfer) {
        // Its other side is confirmed by itself: not pending, whatever the whole is.
        const { to, arrives } = transfer
        const moved = {
          ...shared,
          flow: 'transfer' as const,
          categoryId,
          isPrivate,
          seers,
          labels: tagIds,
        }
        return [
          { ...moved, accountId, counter: to, amount },
          { ...moved, accountId: to, counter: accountId, amount: arrives, isPending: false },
        ]
      }
      const category = household.categories.find(({ id }) => id === categoryId)
      // An income on a category of expenses is a refund.
      const flow = kind === 'income' && category?.kind === 'expense' ? 'expense' : kind
      const labels = [...tagIds, ...(payeeId === null ? [] : [payeeId])]
      return [{ ...shared, accountId, flow, amount, categoryId, isPrivate, seers, labels }]
    })
  }
  const { from, to, leaves, arrives, fees, categoryId } = booking
  const open = { ...shared, isPrivate: false, seers: [] }
  const ofFees = fees.reduce((sum, { amount }) => sum + amount, 0n)
  const leg = { ...open, flow: 'transfer' as const, categoryId }
  return [
    { ...leg, accountId: from, counter: to, amount: ofFees - leaves },
    { ...leg, accountId: to, counter: from, amount: arrives },
    ...fees.map((fee) => ({
      ...{ ...open, accountId: from, flow: 'expense' as const },
      ...{ amount: -fee.amount, categoryId: fee.categoryId },
    })),
  ]
}

const movesIn = (household: Household, inside: Account[]): Move[] => {
  const ids = new Set(inside.map(({ id }) => id))
  return [...household.bookings.values()]
    .flatMap((booking) => movesOf(household, booking))
    .filter(({ accountId }) => ids.has(accountId))
}

/** What counts by name and card: nothing is left out. */
export type Sums = Map<string, bigint>

export const keyOf = (name: string, cardId = ''): string => `${name}|${cardId}`

/** Adds sums key by key, the others so many times. */
export function added(one: Sums, other: Sums, times = 1n): Sums {
  const sums = new Map(one)
  for (const [key, amount] of other) {
    sums.set(key, (sums.get(key) ?? 0n) + amount * times)
  }
  return sums
}

/** What the figures of a budget are made of. */
export interface Counts {
  inside: Account[]
  convert: Convert
  /** What counts in a line or figure, on one card or on cash, in a period: in the currency of the budget. */
  of: (period: Period, name: string, cardId?: string) => bigint
  /** The same of all that counts, by name and card. */
  all: (period: Period) => Sums
  /** What could not be converted in a line, by currency: it counts nowhere. */
  unconverted: (period: Period, name: string) => Map<string, bigint>
  /** What an account holds at the end of a day, in its own currency. */
  heldOn: (account: Account, day: string) => bigint
  /** The same in the currency of the budget; nothing where there is no rate. */
  worthOn: (account: Account, day: string) => bigint
  /** The day by whose rates what is held at the end of a period is worth something. */
  dayOf: (period: Period) => string
}

/** Where a move counts: names of lines and figures. */
export type Sorter = (move: Move, isPrivate: boolean, nominal: string) => string[]

export function countsOf(
  household: Household,
  budget: Budget,
  {
    sort,
    isCard,
    periods,
  }: { sort: Sorter; isCard: (account: Account) => boolean; periods: Period[] },
): Counts {
  const inside = insideOf(household, budget)
  const convert = converterInto(household.rates, budget.currency, budget.base)
  const moves = movesIn(household, inside)
  const accounts = new Map(inside.map((account) => [account.id, account]))
  const cardIds = new Set(inside.filter(isCard).map(({ id }) => id))
  const counted = moves.flatMap((move) => {
    const { accountId, date, amount, isPending } = move
    const currency = accounts.get(accountId)?.currency ?? ''
    const isHidden = move.isPrivate && (budget.isOfGroup || !move.seers.includes(budget.owner))
    const period = periods.find(({ start, end }) => start <= date && date <= end)
    const names = period ? sort(move, isHidden, period.nominal) : []
    const isLeftOut = isPending && !budget.countPending
    const isNamed = names.some((name) => name !== 'payments' && name !== 'limitIncome')
    const where = isLeftOut ? (isNamed ? ['pending'] : []) : names
    const card = !isLeftOut && cardIds.has(accountId) ? accountId : ''
    return where.map((name) => ({ key: keyOf(name, card), date, currency, amount }))
  })
  const byKey = Map.groupBy(counted, ({ key }) => key)
  const countsPending = ({ isPending }: Move) => budget.countPending || !isPending
  const heldOn = ({ id }: Account, day: string) =>
    moves
      .filter((move) => move.accountId === id && move.date <= day && countsPending(move))
      .reduce((sum, { amount }) => sum + amount, 0n)
  // Fees are a part of what leaves: they are moves of their own here.
  return {
    ...{ inside, convert, heldOn },
    worthOn: (account, day) => convertHeld(convert, account, heldOn(account, day), day),
    unconverted: ({ start, end }, name) => {
      const all = ['', ...cardIds].flatMap((card) => byKey.get(keyOf(name, card)) ?? [])
      const sums = new Map<string, bigint>()
      for (const { currency, date, amount } of all) {
        if (start <= date && date <= end && convert(1n, currency, date) === undefined) {
          sums.set(currency, (sums.get(currency) ?? 0n) + amount)
        }
      }
      return sums
    },
    dayOf: ({ end }) => (end < today() ? end : today()),
    of: (period, name, cardId = '') => sumIn(period, keyOf(name, cardId)),
    all: (period) => new Map([...byKey.keys()].map((key) => [key, sumIn(period, key)])),
  }

  function sumIn({ start, end }: Period, key: string): bigint {
    const there = (byKey.get(key) ?? []).filter(({ date }) => start <= date && date <= end)
    return [...Map.groupBy(there, ({ date, currency }) => `${date} ${currency}`).values()]
      .map((same) => {
        const sum = same.reduce((all, { amount }) => all + amount, 0n)
        const [{ currency, date } = { currency: '', date: '' }] = same
        return convert(sum, currency, date) ?? 0n
      })
      .reduce((all, one) => all + one, 0n)
  }
}

const convertHeld = (convert: Convert, { currency }: Account, minor: bigint, day: string) =>
  convert(minor, currency, day) ?? 0n

export const isExcluded = (household: Household, categoryId: string | null): boolean =>
  categoryId !== null &&
  pathOf(household, categoryId).some(
    (id) => household.categories.find((one) => one.id === id)?.isExcluded,
  )

/** The lines by category that name a category or one above it in a period, the nearest first. */
export function linesOver(
  household: Household,
  budget: Budget,
  { categoryId, nominal }: { categoryId: string; nominal: string },
): string[] {
  const lines = linesIn(budget, nominal).filter(({ kind }) => kind === 'category')
  const naming = (id: string) => lines.filter((line) => namesOf(line, nominal).includes(id))
  return [
    ...new Set(pathOf(household, categoryId).flatMap((id) => naming(id).map((line) => line.id))),
  ]
}

export const isInside = (household: Household, inside: Account[], id: string | null): boolean =>
  id !== null && inside.includes(accountOf(household, id))

export type { Move }
