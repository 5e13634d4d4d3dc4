import type { Steps } from '../steps.ts'
import type { Continuation } from './continuing.ts'
import type { Hash, RowIdentity } from './identity.ts'
import type { MatchingMode } from './matching.ts'
import type { SettledRow } from './rows.ts'
import type { ReusedIds, SchemeOfAccount } from './trust.ts'
import type {
  CoveredDays,
  Decision,
  OwnAccount,
  StoredExternalId,
  StoredHalf,
  StoredIdentity,
  StoredRow,
} from './verdicts.ts'

/** Rows of the file that follow each other, with what has to be looked up of them. */
export interface Piece {
  rows: readonly SettledRow[]
  /** The identity of each row; ignored rows have none. */
  identities: (RowIdentity | undefined)[]
  lookUp: {
    identities: { accountId: string; identity: string }[]
    bankKeys: { accountId: string; bankKey: string }[]
    externalIds: { accountId: string; externalId: string }[]
  }
}

/** The stored rows that a piece asks for. A few rows for each bank key are enough. */
export interface StoredMatches {
  identities: readonly StoredIdentity[]
  externalIds: readonly StoredExternalId[]
}

/** The rows that pass 2 needs from the database. Days are inclusive. */
export interface Lookups {
  /** Stored rows of an account with one of these amounts, on these days. Pending ones are wanted with any amount. */
  candidates: { accountId: string; from: string; through: string; minors: number[] }[]
  /** Halves of transfers, on accounts of this currency, with one of these amounts. */
  halves: { currency: string; from: string; through: string; minors: number[] }[]
  /** All identities with these particulars. */
  identities: { accountId: string; date: string; minor: number }[]
}

export interface LookupResults {
  candidates: readonly StoredRow[]
  halves: readonly StoredHalf[]
  identities: readonly StoredIdentity[]
  /** The days of stored statements, on accounts of which the file has interim reports alone. */
  stated?: readonly CoveredDays[]
  /** The days within which the file continues earlier statements. */
  continued?: readonly Continuation[]
  /** The accounts of the file, and those that may be on the other side of transfers. */
  accounts: readonly OwnAccount[]
}

export interface ComparisonOutcome {
  /** Decisions that replace those of `decide`, for the rows that need one. */
  decisions: Decision[]
  /** Pending rows of earlier files that this file should contain and does not. */
  vanished: StoredRow[]
  /** The number of rows of each statement that are transactions from before this file. */
  matched: ReadonlyMap<number, number>
  /** Schemes of which this file uses an id again: from now on their ids are not trusted on the account. */
  reused: ReusedIds[]
  /** The identity under which a row is stored. */
  identityOf: (row: SettledRow, identity: RowIdentity) => string
}

/** The comparison of one file with what is stored: pass 1 piece by piece, in the order of the file, then pass 2. */
export interface FileComparison {
  identify(rows: readonly SettledRow[]): Piece
  /** One decision for each row. What is `new` may become something else in pass 2. */
  decide(piece: Piece, known: StoredMatches): Decision[]
  /** @param statements the spans of whole statements; an account without one is covered by its rows */
  wanted(statements: readonly CoveredDays[]): Steps<Lookups>
  /** Returns the rows that the only piece of a file may need, whatever is known of its rows. */
  foresee(piece: Piece, statements: readonly CoveredDays[]): Lookups
  compare(found: LookupResults): Steps<ComparisonOutcome>
}

export interface ComparisonOptions {
  hash: Hash
  /** Schemes whose ids lost their trust in earlier files. */
  untrusted: readonly SchemeOfAccount[]
  matching: MatchingMode
  isLocked: (accountId: string, date: string) => boolean
}
