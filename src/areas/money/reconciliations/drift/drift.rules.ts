import { legIdOf } from '../../../../domain/ledger-ids.ts'
import type { Kind, Status } from '../../../../domain/ledger.ts'
import type { RowTexts } from '../candidates/candidates.rules.ts'

/** A row of a finished session that is not as it was then. */
export interface DriftRow extends RowTexts {
  transactionId: string
  line: number
  amountMinor: number
  date: string
  /** As its account has it now; null where it is in the trash, or on another account. */
  nowAmountMinor: number | null
  nowDate: string | null
  nowStatus: Status | null
  kind: Kind
  isInTrash: number
  at: number
  actorId: string | null
}

interface State {
  amountMinor: number
  date: string
  status: Status
}

/** A reconciled row that is not as it was when its session was finished. */
export interface Drift {
  id: string
  texts: RowTexts
  kind: DriftRow['kind']
  isInTrash: boolean
  was: State
  /** Null where it is not on the account any more. */
  now: State | null
  /** What that moved in the sum of reconciled rows. */
  movedMinor: number
  at: number
  actorId: string | null
}

export function driftFrom(row: DriftRow): Drift {
  const { transactionId, line, kind, amountMinor, date, at, actorId } = row
  const { description, payeeId, payeeRaw } = row
  const now = stateOf(row)
  return {
    id: legIdOf(transactionId, kind, line),
    texts: { description, payeeId, payeeRaw },
    kind,
    isInTrash: row.isInTrash === 1,
    was: { amountMinor, date, status: 'reconciled' },
    now,
    movedMinor: (now?.status === 'reconciled' ? now.amountMinor : 0) - amountMinor,
    ...{ at, actorId },
  }
}

const stateOf = ({ nowAmountMinor, nowDate, nowStatus }: DriftRow): State | null =>
  nowAmountMinor === null || nowDate === null || nowStatus === null
    ? null
    : { amountMinor: nowAmountMinor, date: nowDate, status: nowStatus }
