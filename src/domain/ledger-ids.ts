import { coreOf } from './ids.ts'
import type { Kind } from './ledger.ts'

// A transaction with one account has the id of its header. A transfer has an id of its own, and each leg
// one made of the transfer's and its line; so legs need no column, and no index, of their own. The other side of a part that is a
// transfer likewise has an id of the transaction's and its line, which is never 1 or 2.

/** The own account line of a transaction with one account. */
const ACCOUNT_LINE = 1
/** Account lines with higher numbers are those of parts. */
const LAST_OWN_LINE = 2

/** True if an account line, by its number, is the other side of a part. */
export const isLegOfPart = (line: number): boolean => line > LAST_OWN_LINE

/** The id under which the account line of a header is addressed; the kind is the one that its account sees. */
export const legIdOf = (transactionId: string, kind: Kind, line: number): string =>
  kind === 'transfer' ? `txn_${coreOf(transactionId)}-${line}` : transactionId

/** The kind of a transaction as the account of a line sees it: the other side of a part sees a transfer. */
export const kindAt = (line: number, kind: Kind): Kind => (isLegOfPart(line) ? 'transfer' : kind)

export const splitIdOf = (transactionId: string, line: number): string =>
  `spl_${coreOf(transactionId)}-${line}`

/**
 * The header and line that a transaction id addresses; whether they exist is another question. What is no
 * such id, as the id of a transfer itself, addresses nothing.
 */
export function addressOf(id: string): { transactionId: string; line: number } {
  const [, core, leg] = /^txn_([0-9a-z]{26})(?:-([1-9]\d{0,11}))?$/.exec(id) ?? []
  if (core === undefined) {
    return { transactionId: '', line: 0 }
  }
  const line = Number(leg ?? ACCOUNT_LINE)
  const isOfTransfer = leg !== undefined && !isLegOfPart(line)
  return { transactionId: `${isOfTransfer ? 'trf' : 'txn'}_${core}`, line }
}

/** The line that a split id addresses within its transaction; undefined for another transaction's. */
export function splitLineOf(transactionId: string, splitId: string): number | undefined {
  const [, core, line] = /^spl_([0-9a-z]{26})-([1-9]\d{0,11})$/.exec(splitId) ?? []
  return line !== undefined && core === coreOf(transactionId) ? Number(line) : undefined
}

/** The most tags of a transaction or a part. */
export const MOST_TAGS = 50

/** The most tags of all parts together, so that a page of transactions fits into memory. */
export const MOST_TAGS_OF_PARTS = 200

/** The greatest lengths of the texts of a transaction. */
export const LONGEST_TEXTS = {
  description: 500,
  payeeRaw: 500,
  note: 2000,
  /** The note of a part or a fee. Parts of files use the notes of transactions. */
  lineNote: 500,
  /** An id that somebody sends; banks have longer ones. */
  externalId: 200,
  bankId: 255,
  placeName: 200,
} as const
