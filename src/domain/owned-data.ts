import { errorTable } from './errors.ts'

// The kinds of data of all areas that an owner can have erased, and restore after deletion.

/** The kinds of own data that can be wiped by themselves. */
export const WIPE_KINDS = [
  'transactions',
  'accounts',
  'categories',
  'payees',
  'tags',
  'exchangeRates',
  'budgets',
  'recurring',
  'files',
  'preferences',
] as const

export type WipeKind = (typeof WIPE_KINDS)[number]

/** Deleted items can be restored for this time. */
export const TRASH_KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** What the trash keeps as snapshots in `trashed_rows`, with the prefix of its ids. */
export const SNAPSHOT_PREFIXES = {
  ...{ category: 'cat', tag: 'tag', payee: 'pay', rule: 'rul' },
  recurring: 'rec',
} as const

export type SnapshotKind = keyof typeof SNAPSHOT_PREFIXES

/** All that may be in the trash; what is no snapshot stays in its own table. */
export const TRASH_PREFIXES = {
  ...{ account: 'acc', transaction: 'txn', transfer: 'trf' },
  ...SNAPSHOT_PREFIXES,
  budget: 'bud',
} as const

export type TrashKind = keyof typeof TRASH_PREFIXES

export const TRASH_KINDS = Object.keys(TRASH_PREFIXES) as TrashKind[]

/** Something in the trash, as a list shows it. */
export interface TrashItem {
  kind: TrashKind
  id: string
  name: string
  deletedAt: number
  /** The first account of a transaction; for a transfer, the account that the money left. */
  accountId: string | null
  date: string | null
  /** The amount as seen from that account; for an account, its balance. */
  amountMinor: number | null
  currency: string | null
  transactionCount: number | null
  version: number
}

export const trashErrors = errorTable('trash', {
  notFound: ['notFound', 'The trash does not contain this item.'],
  accountInTrash: [
    'conflict',
    'An account of the item is in the trash. Restore the account first.',
  ],
  accountClosed: ['conflict', 'An account of the item is closed. Reopen the account first.'],
  externalIdTaken: [
    'conflict',
    'The account now has another transaction with the same externalId. Change or delete that one first.',
  ],
  nameTaken: [
    'conflict',
    'Its name is now used by something else. Rename that, then restore this item.',
  ],
  placeTaken: [
    'conflict',
    'The category cannot return to its former place: categories would be nested more than 5 levels deep, or below themselves. Move its former parent or subcategories first.',
  ],
  tooManyCategories: [
    'conflict',
    'There are already 1,000 categories, which is the limit. Delete another one first.',
  ],
  damaged: [
    'conflict',
    'What the trash holds of this item is damaged, so it cannot be restored. It is erased when the trash is emptied, or 30 days after its deletion.',
  ],
  changedMeanwhile: ['conflict', 'The item was restored, erased or changed in the meantime.'],
  leftBehind: ['internal', 'Some items could not be erased. Try again later.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot empty the trash.',
  ],
})
