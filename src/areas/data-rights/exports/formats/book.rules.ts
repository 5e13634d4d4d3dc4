import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import type { presentTransaction } from '../../../money/transaction-views/transaction-views.public.ts'

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

/** What the names of an export are. Whatever belongs to others has no name. */
export interface Book {
  /** All that may be named, by id. */
  accounts: ReadonlyMap<string, BookAccount>
  /** Those whose transactions are exported. */
  inScope: ReadonlySet<string>
  categories: ReadonlyMap<string, BookCategory>
  payees: ReadonlyMap<string, string>
  tags: ReadonlyMap<string, string>
  /** What was selected, in words. */
  scope: string
}

/** A transaction as one account sees it: as it is stored, and as the API shows it. */
export interface Shown {
  row: LedgerRow
  view: ReturnType<typeof presentTransaction>
}

export const nameIn = (names: ReadonlyMap<string, string>, id: string | null): string =>
  (id === null ? undefined : names.get(id)) ?? ''

export const accountName = ({ accounts }: Book, id: string | null): string =>
  (id === null ? undefined : accounts.get(id)?.name) ?? ''

export const pathOf = ({ categories }: Book, id: string | null): string[] =>
  (id === null ? undefined : categories.get(id)?.path) ?? []

export const tagNames = ({ tags }: Book, ids: readonly string[]): string[] =>
  ids.flatMap((id) => tags.get(id) ?? []).toSorted()

/** The other party, as the user or else the bank names it. */
export const partyOf = ({ payees }: Book, { view }: Shown): string =>
  nameIn(payees, view.payeeId) || (view.payeeRaw ?? '')

/** A text without ends of lines. */
export const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
