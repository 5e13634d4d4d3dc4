export const LINK_KINDS = ['transaction', 'account'] as const

export type LinkKind = (typeof LINK_KINDS)[number]

/** How long a deleted file can be restored. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000
