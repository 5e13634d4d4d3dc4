import type { Decision } from '../../../../domain/imports/verdicts.ts'
import type { LedgerRow } from '../../../../ledger/ledger.public.ts'
import { importErrors } from '../imports.errors.ts'
import {
  isComplete,
  type ReadRow,
  type RowNote,
  saidOf,
  type StoredOverrides,
} from './pieces.rules.ts'

// Rows that the user says are transactions that are there.

/** A row can be matched that has what a transaction has, and that is no transaction yet. */
export function requireMatchable(
  { row, found }: ReadRow,
  note: RowNote | undefined,
  said: StoredOverrides,
): void {
  const { verdict } = note?.found ? (JSON.parse(note.found) as Decision) : found
  if (verdict === 'duplicate') {
    throw importErrors.rowKnown({ field: 'decision' })
  }
  if (!isComplete(row, { ...saidOf(note), ...said })) {
    throw importErrors.rowIncomplete({ field: 'decision' })
  }
}

/** One transaction is one row of a file. */
export function requireFree(there: LedgerRow | undefined, others: { row: number }[]): void {
  if (!there) {
    throw importErrors.matchNotFound({ field: 'transactionId' })
  }
  if (others.length > 0) {
    throw importErrors.matchTaken({ field: 'transactionId' })
  }
}

/** Tells whether the bank has booked a transaction that was pending so far. */
export const isPostedBy = ({ row }: ReadRow, { status }: LedgerRow): boolean =>
  status === 'pending' && !row.source.pending
