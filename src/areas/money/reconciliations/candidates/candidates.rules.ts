import type { CandidateRow } from '../../../../domain/reconciliation/finder.ts'
import type { Kind, Status } from '../../../../domain/ledger.ts'

/** The texts by which people recognise a row; null where it has none, or the caller does not see it. */
export interface RowTexts {
  description: string | null
  payeeId: string | null
  payeeRaw: string | null
}

/** A row that may explain a difference. */
export interface FoundRow extends CandidateRow, RowTexts {
  kind: Kind
  status: Status
  /** 1 where it has parts, or is a side of a transfer: its amount is more than one field. */
  isCompound: number
  place: 'ticked' | 'unticked' | 'void' | 'later' | 'elsewhere'
  /** What the bank said, where that is another amount. */
  bankMinor: number | null
  /** 1 where it is ticked and a file of the bank told of it. */
  isImported: number
  /** 1 where it is ticked and a file of the bank told the same amount. */
  isConfirmed: number
}

/** A row in the trash that a file of the bank told of. */
export interface TrashedRow extends CandidateRow, RowTexts {
  transactionId: string
  status: Status
}

/** Two transactions that are no duplicates, in the order of their ids. */
export interface DistinctPair {
  oneId: string
  otherId: string
}
