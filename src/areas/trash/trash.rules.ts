/** Kinds that are in the trash as an image of what they were. */
export const ROW_KINDS = ['category', 'tag', 'payee'] as const

export type RowKind = (typeof ROW_KINDS)[number]

export const TRASH_KINDS = ['account', 'transaction', 'transfer', ...ROW_KINDS] as const

export type TrashKind = (typeof TRASH_KINDS)[number]

export const isRowKind = (kind: TrashKind): kind is RowKind =>
  (ROW_KINDS as readonly TrashKind[]).includes(kind)

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
  version: number
}

/** The newest deletion first. */
export const newestFirst = (items: TrashItem[]): TrashItem[] =>
  items.toSorted((one, other) => other.deletedAt - one.deletedAt || (one.id < other.id ? 1 : -1))
