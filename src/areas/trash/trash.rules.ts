export const TRASH_KINDS = ['account', 'transaction', 'transfer'] as const

export type TrashKind = (typeof TRASH_KINDS)[number]

/** How long what was deleted can be restored. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000

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
}

/** The newest deletion first. */
export const newestFirst = (items: TrashItem[]): TrashItem[] =>
  items.toSorted((one, other) => other.deletedAt - one.deletedAt || (one.id < other.id ? 1 : -1))
