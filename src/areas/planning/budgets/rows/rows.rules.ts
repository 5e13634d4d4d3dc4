import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Kind } from '../../../../domain/ledger.ts'

/**
 * The listed rows of a line: those that make up its activity; those of closed periods that were booked or changed
 * after the closing; or, for the payment line of a card, those that move money onto it.
 */
export const WHICH_ROWS = ['activity', 'late', 'moved'] as const
export type WhichRows = (typeof WHICH_ROWS)[number]

/** An entry that counts on a line, in the currency of its account. */
export interface CountedRow {
  /** The period that it is listed in; empty for what came late. */
  slot: string
  /** The card of a payment line. */
  card: string
  transactionId: string
  line: number
  /** The line of the account itself in the same transaction. */
  accountLine: number
  /** The number of parts of the transaction. */
  parts: number
  kind: Kind
  accountId: string
  date: CalendarDate
  description: string
  categoryId: string | null
  payeeId: string | null
  createdBy: string
  currency: string
  /** The amount as seen from the money; for a card, from the money that is put aside for it. */
  minor: number
  /** Wide sum of the rows of its day, currency and key up to it. */
  running: string
}
