import type { EnvelopePeriod } from './envelopes.ts'
import type { LimitPeriod } from './limits.ts'
import type { MatchedPart } from './matching.ts'

/** A household's books and budgets, kept in memory as lists of what was booked and decided: nothing is added up here. */

export type Status = 'pending' | 'uncleared' | 'cleared' | 'void'
export type Policy = 'none' | 'surplus' | 'deficit' | 'both'
export type Member = 0 | 1

export interface Account {
  id: string
  owner: Member
  currency: string
  type: 'checking' | 'creditCard'
  onBudget: boolean
  /** With the group. */
  isShared: boolean
  isTrashed: boolean
  isClosed: boolean
}

export interface Category {
  id: string
  owner: Member
  kind: 'expense' | 'income'
  parentId: string | null
  isExcluded: boolean
}

/** A booking, or one part of it. Money that went out is negative. */
export interface Part {
  amount: bigint
  categoryId: string | null
  payeeId: string | null
  tagIds: string[]
  /** Of a part that is a transfer: its other account, and what that account sees. */
  transfer?: { to: string; arrives: bigint }
}

export interface Single {
  is: 'single'
  id: string
  kind: 'expense' | 'income' | 'adjustment' | 'opening'
  accountId: string
  date: string
  status: Status
  isPrivate: boolean
  /** Who booked it: sees it, whatever its owner makes of it. */
  author: Member
  parts: Part[]
}

export interface Transfer {
  is: 'transfer'
  id: string
  from: string
  to: string
  date: string
  status: Status
  /** All that leaves, fees included. */
  leaves: bigint
  arrives: bigint
  fees: { amount: bigint; categoryId: string | null }[]
  categoryId: string | null
}

export type Booking = Single | Transfer

export interface Rate {
  id: string
  from: string
  to: string
  date: string
  rate: string
}

export interface Rule {
  unit: 'week' | 'month'
  count: number
  anchor: string
  weekend: 'keep' | 'before' | 'after'
}

/** Something that was said of a line. */
export type News =
  | { of: 'policy'; value: Policy | null }
  | { of: 'cap' | 'amount'; value: bigint | null }

/** The same, and from which period on it holds. */
export type Said = News & { from: string }

/** What a line names from a period on, and before another. */
export interface Named {
  id: string
  from: string
  until: string | null
}

export interface Line {
  id: string
  kind: 'category' | 'tag' | 'payee' | 'account' | 'everything'
  named: Named[]
  parentLineId: string | null
  /** In the order of their periods. */
  said: Said[]
  /** The first period without it. */
  endsIn: string | null
  /** The line that its money goes to then; null for the pool. */
  into: string | null
}

/** Money that somebody gave to a line, or took from it: `pool` is an end, too. */
export interface Movement {
  /** Empty until it was read. */
  id: string
  period: string
  from: string
  to: string
  amount: bigint
  kind: 'assign' | 'move' | 'cover' | 'undo'
  isUndone: boolean
}

/** What a line of envelopes should be given. */
export type Goal =
  | { type: 'amount' | 'refill' | 'balance'; amount: bigint }
  | { type: 'byDate'; amount: bigint; date: string; every: Every | null }
  | { type: 'percentOfIncome'; hundredths: number }
  | { type: 'average'; periods: 3 | 6 | 12 }

export interface Every {
  count: number
  unit: 'week' | 'month' | 'year'
}

export interface Target {
  goal: Goal
  snoozedIn: string | null
}

export interface Budget {
  id: string
  mode: 'envelope' | 'limit'
  isOfGroup: boolean
  owner: Member
  currency: string
  /** Rates are chained over this one. */
  base: string
  rule: Rule
  startsOn: string
  /** Null for all that are on budget. */
  accountIds: string[] | null
  /** How accounts are handled where that was said; else only credit cards are. */
  cards: { accountId: string; handling: 'payment' | 'cash' }[]
  countPending: boolean
  countTransfers: boolean
  incomeInNextPeriod: string[]
  policies: { from: string; policy: Policy }[]
  lines: Line[]
  /** The payment line of each card, by account. */
  paymentLines: Map<string, string>
  /** By period and line; null is no amount of its own. */
  amounts: Map<string, bigint | null>
  /** By period. */
  held: Map<string, bigint>
  /** The oldest first. */
  movements: Movement[]
  /** By line, payment lines included. */
  targets: Map<string, Target>
  /** What was said of the periods that are closed, when they were closed. */
  closings: Map<string, EnvelopePeriod | LimitPeriod>
}

/** A category in the trash. */
export interface Lost {
  category: Category
  /** Its bookings and subcategories went to this one. */
  into: string
  childIds: string[]
  /** The lines that name that one for it. */
  takers: string[]
  /** What was booked on it, as it was before and after. */
  before: Map<string, Booking>
  after: Map<string, Booking>
}

export interface Household {
  accounts: Account[]
  categories: Category[]
  lost: Lost | null
  /** The rows that are the other sides of parts, by whole and part. */
  matched: Map<string, MatchedPart>
  tags: string[]
  payees: string[]
  rates: Rate[]
  bookings: Map<string, Booking>
  trash: Map<string, Booking>
  budgets: Budget[]
}

export const accountOf = ({ accounts }: Household, id: string): Account => {
  const account = accounts.find((one) => one.id === id)
  if (!account) {
    throw new Error(`no account ${id}`)
  }
  return account
}

/** Whether bookings can be made and changed on an account. */
export const isUsable = ({ isTrashed, isClosed }: Account): boolean => !isTrashed && !isClosed

/** The category and those above it. */
export function pathOf(household: Pick<Household, 'categories'>, id: string): string[] {
  const found = household.categories.find((one) => one.id === id)
  return found?.parentId ? [id, ...pathOf(household, found.parentId)] : [id]
}

/** The accounts that are inside of a budget. */
export const insideOf = (household: Household, budget: Budget): Account[] =>
  household.accounts.filter(({ id, owner, onBudget, isShared, isTrashed }) => {
    if (isTrashed || !(isShared || (!budget.isOfGroup && owner === budget.owner))) {
      return false
    }
    return budget.accountIds
      ? budget.accountIds.includes(id)
      : onBudget && (budget.isOfGroup || owner === budget.owner)
  })

export function isPaymentCard({ mode, cards }: Budget, { id, type }: Account): boolean {
  const said = cards.find(({ accountId }) => accountId === id)?.handling
  const handling = said ?? (type === 'creditCard' ? 'payment' : 'cash')
  return mode === 'envelope' && handling === 'payment'
}

/** What a line names in a period. */
export const namesOf = ({ named }: Line, nominal: string): string[] =>
  named
    .filter(({ from, until }) => from <= nominal && (until === null || nominal < until))
    .map(({ id }) => id)

/** The lines that are there in a period. */
export const linesIn = ({ lines }: Budget, nominal: string): Line[] =>
  lines.filter(({ endsIn }) => endsIn === null || nominal < endsIn)

/** The lines that have not ended. */
export const linesNow = ({ lines }: Budget): Line[] => lines.filter(({ endsIn }) => endsIn === null)

/** What holds of a line in a period: the newest that was said by then. */
export function termsOf(budget: Budget, { said }: Line, nominal: string) {
  const by = said.filter(({ from }) => from <= nominal)
  const money = (of: News['of']) => by.findLast((one) => one.of === of)?.value
  const [cap, amount] = [money('cap'), money('amount')]
  const policy =
    by.findLast((one) => one.of === 'policy')?.value ??
    budget.policies.findLast(({ from }) => from <= nominal)?.policy ??
    'surplus'
  return {
    policy,
    cap: typeof cap === 'bigint' ? cap : null,
    amount: typeof amount === 'bigint' ? amount : null,
  }
}

/** Says something of a line from a period on: until something else was said of the same. What holds anyway is not news. */
export function say(line: Line, one: Said): void {
  const others = line.said.filter(({ of, from }) => of !== one.of || from !== one.from)
  const all = [...others, one].toSorted((a, b) => (a.from < b.from ? -1 : 1))
  line.said = all.filter(({ of, value }, at) => {
    const before = all.slice(0, at).findLast((other) => other.of === of)
    return before === undefined || before.value !== value
  })
}
