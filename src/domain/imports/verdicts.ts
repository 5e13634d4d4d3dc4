import type { RowIdentity } from './identity.ts'
import type { IgnoredReason, RowWarning } from '../bank-files/source.ts'
import type { MatchReason } from '../matching/weights.ts'

export const VERDICTS = [
  ...(['new', 'duplicate', 'matched', 'updated', 'transfer'] as const),
  ...(['ignored', 'locked', 'error', 'skipped'] as const),
] as const
export type Verdict = (typeof VERDICTS)[number]

export const DUPLICATE_REASONS = [
  ...(['sameId', 'sameRow', 'externalId', 'sameIdOtherDate'] as const),
  ...(['inTrash', 'erased', 'skipped'] as const),
] as const
export type DuplicateReason = (typeof DUPLICATE_REASONS)[number]

/** The state of the transaction that a stored row was booked as. */
export type StoredState = 'kept' | 'inTrash' | 'erased' | 'skipped'

/** A stored identity, with the particulars of the row that it is from. */
export interface StoredIdentity {
  accountId: string
  identity: string
  bankKey?: string
  date: string
  minor: number
  balanceMinor?: number
  pending: boolean
  /** Absent after erasing. */
  transactionId?: string
  state: StoredState
  /** The import that contained it. */
  importId?: string
}

/** A transaction that has a bank's id as its `externalId`, or that the id is of. */
export interface StoredExternalId {
  accountId: string
  externalId: string
  /** The row comes from an export of the transaction, whatever that has become. */
  isItself?: boolean
  transactionId: string
  date: string
  minor: number
  state: StoredState
}

/** The decision about one row. */
export interface Decision {
  at: number
  verdict: Verdict
  /** The verdict when the piece was booked, if it differs from the earlier decision. */
  became?: { verdict: Verdict; reason: string | null }
  /** The verdict that a locked row would have without the lock; absent where it would be new. */
  unlocked?: 'transfer' | 'updated'
  /** The reason the row is a duplicate, or is ignored. */
  reason?: DuplicateReason | IgnoredReason
  /** The transaction that the row is already, becomes part of, or is the other half of. */
  matchedId?: string
  /** The row of this file that is the other half, or that takes the place of this one. */
  partnerAt?: number
  /** The part of that row which is the other half, where it is not the whole row. */
  partnerPart?: number
  /** The transaction that is the other half of each part of the row. */
  partMatches?: { part: number; matchedId: string }[]
  /** The source says that the two halves are one transfer; otherwise it is likely. */
  isStated?: boolean
  /** No other row is as likely to be the other half of the transfer. */
  isOnlyOne?: boolean
  /** The transaction that the row may be; it is for the user to say. */
  suggestedMatchId?: string
  /** From 0 to 1, of the match, the transfer or the suggestion. */
  score?: number
  reasons?: MatchReason[]
  /** The row is known by something else than its identity, which the commit stores with what the row is. */
  remembers?: true
  /**
   * The identity of the row, where an equal row of an earlier statement has an identity that only the file gives it.
   */
  identity?: RowIdentity
  warnings?: RowWarning[]
}

/** Something stored that a row without a known identity may be. */
export interface StoredRow {
  accountId: string
  /** Absent after erasing. */
  transactionId?: string
  /** `typed`: has no identity. `pending` and `booked`: was in an earlier file. */
  kind: 'typed' | 'pending' | 'booked'
  state: StoredState
  identity?: string
  /** The particulars of the row it is from; of typed ones, those of the transaction. */
  date: string
  minor: number
  balanceMinor?: number
  /** The import that contained it. */
  importId?: string
  bankKey?: string
  /** The bank's id, where it identifies the row. */
  externalId?: string
  /** The scheme of that id, where rows of the file have ids of it. */
  scheme?: string
  /** The payee's text and the description. */
  text: string
  payeeId?: string
  /** A cheque or reference number. */
  number?: string
  /** The account on the other side, where the row is half of a transfer. */
  otherAccountId?: string
}

/** A stored row that may be half of a transfer: it is kept, on an open account, and in no transfer yet. */
export interface StoredHalf {
  accountId: string
  transactionId: string
  date: string
  minor: number
  text: string
  /** The number of the account on the other side, as the file of the row said it. */
  counterAccount?: string
  isUncategorised: boolean
}

/** An own account, as texts and files mention it. */
export interface OwnAccount {
  id: string
  name: string
  currency: string
  iban?: string
  /** The last four characters of its number, as the user entered them. */
  lastFour?: string
}

/** The days that a file tells the whole of, by account. */
export interface CoveredDays {
  accountId: string
  from: string
  through: string
}
