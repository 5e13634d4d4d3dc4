import type { AccountType } from '../../src/areas/money/accounts/accounts.rules.ts'
import type { Permission } from '../../src/domain/permissions.ts'
import type { SignedIn } from '../../src/platform/context.ts'

/**
 * Acts as somebody at noon of a day.
 * @param ids what is made gets these, and the time that they tell
 */
export type As = (permission: Permission, date: string, ids?: string[]) => SignedIn

/** Somebody with everything of theirs. */
export interface Settled {
  as: As
  accounts: Map<string, { id: string; currency: string }>
  categories: Map<string, string>
}

// The plan of one person in the demo household.

interface PlannedAccount {
  key: string
  name: string
  type: AccountType
  currency: string
  openingBalance: string
  institution?: string
  creditLimit?: string
  statementDay?: number
  dueDay?: number
  minimumPercent?: string
  minimumAmount?: string
  interestRate?: string
}

interface Spending {
  account: string
  category: string
  descriptions: readonly string[]
  /** Minor units, from least to most. */
  amount: readonly [number, number]
  perMonth: number
  /** Every so many of them are split with this second category. */
  splitWith?: string
  /** The account that gets cash at the till once a month. */
  cashTo?: string
  /** True if a rule gives them the category. */
  isRuled?: true
}

interface Fixed {
  /** An income with the category of an expense is a refund. */
  kind: 'income' | 'expense'
  account: string
  category: string
  description: string
  day: number
  minor: number
  isRuled?: true
}

/** Something that happened in one month alone. */
interface Once extends Fixed {
  /** Whole months before the current one. */
  monthsAgo: number
}

interface Move {
  from: string
  to: string
  description: string
  day: number
  minor: number
  /** The amount that arrives, where the currencies differ. */
  toMinor?: number
  /** The category of its purpose, as a budget sees it. */
  category?: string
}

/** The value of an off-budget account, updated every half year. */
interface Worth {
  account: string
  minor: number
  /** The gain or loss from one time to the next. */
  step: number
}

export interface Person {
  email: string
  name: string
  about: string
  isAdmin?: boolean
  accounts: readonly PlannedAccount[]
  spending: readonly Spending[]
  fixed: readonly Fixed[]
  once: readonly Once[]
  moves: readonly Move[]
  folders: readonly { name: string; accounts: readonly string[] }[]
  worth: readonly Worth[]
}
