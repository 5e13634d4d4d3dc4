import {
  type Names,
  nameIn,
  type Shown,
} from '../../../money/transaction-views/transaction-views.public.ts'

/** An account as formats name it. */
export interface BookAccount {
  id: string
  name: string
  type: string
  class: 'asset' | 'liability'
  currency: string
}

export interface BookCategory {
  id: string
  /** The names of those above it, and its own. */
  path: string[]
  kind: 'expense' | 'income'
}

/** The names that an export uses for accounts and categories. */
export interface Book extends Names {
  /** All that may be named, by id. */
  accounts: ReadonlyMap<string, BookAccount>
  /** Those whose transactions are exported. */
  inScope: ReadonlySet<string>
  categories: ReadonlyMap<string, BookCategory>
  /** What was selected, in words. */
  scope: string
  /** Ids of links between transactions, by the ids of both; of formats that have them. */
  links: ReadonlyMap<string, readonly string[]>
}

/** What an account was stated to hold. */
export interface StatedBalance {
  id: string
  accountId: string
  date: string
  /** The last day that counts: it, or the day before it. */
  through: string
  amountMinor: number
  toleranceMinor: number
  currency: string
}

/** The other party, as the user or else the bank names it. */
export const partyOf = ({ payees }: Book, { view }: Shown): string =>
  nameIn(payees, view.payeeId) || (view.payeeRaw ?? '')

/** A text without ends of lines. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
