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

export interface Wipe {
  kinds: WipeKind[]
  requestedAt: number
  dueAt: number
}

/** Each once, in the order above. */
export const inOrder = (kinds: WipeKind[]): WipeKind[] =>
  WIPE_KINDS.filter((kind) => kinds.includes(kind))
