const DAY_MS = 24 * 60 * 60 * 1000
const LIFE_MS = 7 * DAY_MS
const LONGEST_LIFE_MS = 366 * DAY_MS

/** Returns the expiry of a code for which none was sent. */
export const usualExpiry = (now: number): number => now + LIFE_MS

export const isExpiry = (instant: number, now: number): boolean =>
  instant > now && instant <= now + LONGEST_LIFE_MS

/**
 * The random bytes of a code, and the number of characters that are shown later: more than 128 bits stay unknown. A
 * code is longer than an id, which begins alike.
 */
export const CODE_BYTES = 20
const SHOWN_CHARACTERS = 4

export const CODE_PREFIX = 'inc_'

export const codePrefixOf = (code: string): string =>
  code.slice(0, CODE_PREFIX.length + SHOWN_CHARACTERS)

/** The fields of a code that can be changed. */
export interface InviteTerms {
  maxUses: number
  expiresAt: number | null
  note: string
}

/** The fields of a code in a request. */
export interface SentTerms {
  maxUses?: number | undefined
  expiresAt?: number | undefined
  note?: string | undefined
}

export const termsAfter = (invite: InviteTerms, sent: SentTerms): InviteTerms => ({
  maxUses: sent.maxUses ?? invite.maxUses,
  expiresAt: sent.expiresAt ?? invite.expiresAt,
  note: sent.note ?? invite.note,
})
