import { errorTable } from './errors.ts'

// What an owner may do with the data of every area: have it erased, and restore what was deleted.

/** The kinds of own data that can be wiped by themselves. */
export const WIPE_KINDS = [
  'transactions',
  'accounts',
  'categories',
  'payees',
  'tags',
  'exchangeRates',
  'files',
  'preferences',
] as const

export type WipeKind = (typeof WIPE_KINDS)[number]

/** How long what was deleted can be restored. */
export const TRASH_KEPT_MS = 30 * 24 * 60 * 60 * 1000

export const TRASH_KINDS = [
  'account',
  'transaction',
  'transfer',
  'category',
  'tag',
  'payee',
] as const

export type TrashKind = (typeof TRASH_KINDS)[number]

/** Something in the trash, as a list shows it. */
export interface TrashItem {
  kind: TrashKind
  id: string
  name: string
  deletedAt: number
  /** Of a transaction its first account; of a transfer that is the one that the money left. */
  accountId: string | null
  date: string | null
  /** As seen from that account; of an account its balance. */
  amountMinor: number | null
  currency: string | null
  transactionCount: number | null
  version: number
}

export const trashErrors = errorTable('trash', {
  notFound: ['notFound', 'There is nothing like it in the trash.'],
  accountInTrash: ['conflict', 'An account of it is in the trash; restore that first.'],
  accountClosed: ['conflict', 'An account of it is closed; reopen it first.'],
  externalIdTaken: ['conflict', 'The account has another transaction with its externalId now.'],
  nameTaken: ['conflict', 'Another one has its name now; rename that first.'],
  placeTaken: [
    'conflict',
    'The tree would have a circle or a sixth level; move what stood below it.',
  ],
  tooManyCategories: ['conflict', 'There are 1,000 categories already; delete another one first.'],
  changedMeanwhile: ['conflict', 'It was restored, erased or changed meanwhile.'],
  tokenIsRestricted: [
    'forbidden',
    'This personal access token is restricted to some accounts, so it cannot empty the trash.',
  ],
})
