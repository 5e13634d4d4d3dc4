import type { CalendarDate } from '../../../../domain/calendar.ts'
import type { Kind } from '../../../../domain/ledger.ts'

/**
 * Which rows of a line are listed: those that make up its activity; those of closed periods that were booked or changed after the
 * closing; or, of the payment line of a card, those that move money onto it.
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
  /** How many parts the transaction has. */
  parts: number
  kind: Kind
  accountId: string
  date: CalendarDate
  description: string
  categoryId: string | null
  payeeId: string | null
  createdBy: string
  currency: string
  /** As seen from the money; of a card, from what is put aside for it. */
  minor: number
  /** Wide sum of the rows of its day, currency and key up to it. */
  running: string
}
