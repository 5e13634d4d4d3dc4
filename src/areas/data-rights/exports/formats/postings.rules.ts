import { negate, sum } from '../../../../domain/money.ts'
import type { Status } from '../../../../domain/ledger.ts'
import { entriesOf, type LedgerRow } from '../../../../ledger/ledger.public.ts'
import {
  type Names,
  nameIn,
  type ExportedRow,
} from '../../../money/transaction-views/transaction-views.public.ts'

// The lines of a journal. An account that is not exported, and what is exchanged with it, is one place for all of them.

/** A place of money in a journal. */
export type JournalPlace =
  | { of: 'account'; id: string }
  | { of: 'category'; id: string | null; side: 'expense' | 'income' }
  | { of: 'opening' | 'adjustment' | 'transfers' }

export interface JournalPosting {
  place: JournalPlace
  minor: number
  currency: string
  status: Status
  /** The total cost, without a sign, in the currency that it was exchanged for. */
  cost?: { minor: number; currency: string }
}

type Entry = ReturnType<typeof entriesOf>[number]

/**
 * The postings of a transaction, which sum to zero in each currency. What is void is among them only where all of it is.
 * @param row any of the account lines that are exported
 */
export function postingsOf(row: LedgerRow, { inScope }: Book): JournalPosting[] {
  const entries = entriesOf(row).filter(({ accountId }) => inScope.has(accountId))
  const own = entries.filter(({ side }) => side === 'account')
  const isVoid = own.every(({ status }) => status === 'void')
  const postings = entries
    .filter(({ side, status }) => side !== 'exchange' && (isVoid || status !== 'void'))
    .map((entry) => {
      const cost = entry.side === 'account' ? costOf(entry, own, entries) : undefined
      const { amountMinor: minor, currency, status } = entry
      return { place: placeOf(entry), minor, currency, status, ...(cost ? { cost } : {}) }
    })
  return [...postings, ...restOf(postings)]
}

/** The total cost of a line that was exchanged with another one that is exported. */
function costOf(entry: Entry, own: Entry[], entries: Entry[]): JournalPosting['cost'] {
  const [first] = own
  if (!first || first.line === entry.line || first.currency === entry.currency) {
    return undefined
  }
  const sold = entries.find(({ side, line, pair, accountId }) =>
    entry.pair === null
      ? side === 'exchange' && pair === null && accountId === first.accountId
      : line === entry.pair,
  )
  return sold && { minor: Math.abs(sold.amountMinor), currency: sold.currency }
}

function placeOf({ side, accountId, categoryId }: Entry): JournalPlace {
  if (side === 'account') {
    return { of: 'account', id: accountId }
  }
  if (side === 'expense' || side === 'income') {
    return { of: 'category', id: categoryId, side }
  }
  return { of: side === 'opening' ? 'opening' : 'adjustment' }
}

function restOf(postings: JournalPosting[]): JournalPosting[] {
  const weights = postings.map(({ minor, currency, cost }) =>
    cost
      ? { minor: minor < 0 ? negate(cost.minor) : cost.minor, currency: cost.currency }
      : { minor, currency },
  )
  return [...Map.groupBy(weights, ({ currency }) => currency)].flatMap(([currency, some]) => {
    const minor = negate(sum(some.map((one) => one.minor)))
    return minor === 0
      ? []
      : [{ place: { of: 'transfers' as const }, minor, currency, status: 'uncleared' as const }]
  })
}

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
  /** The accounts whose transactions are exported. */
  inScope: ReadonlySet<string>
  categories: ReadonlyMap<string, BookCategory>
  /** The selection, in words. */
  scope: string
  /** Ids of links between transactions, by the ids of both; of formats that have them. */
  links: ReadonlyMap<string, readonly string[]>
}

/** The balance that was stated for an account. */
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
export const partyOf = ({ payees }: Book, { view }: ExportedRow): string =>
  nameIn(payees, view.payeeId) || (view.payeeRaw ?? '')

/** A text without ends of lines. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
