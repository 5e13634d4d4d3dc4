import { dateInZone } from '../../../domain/calendar.ts'
import { legIdOf } from '../../../domain/ledger-ids.ts'
import type { Kind, Status } from '../../../domain/ledger.ts'
import type { TransactionMovement } from '../../../ledger/ledger.public.ts'
import type { CandidateRow } from '../../../domain/reconciliation/finder.ts'
import { reconciliationErrors } from './reconciliations.errors.ts'

/** The most that one session has ticked, as finishing changes all of them in one commit. */
export const MOST_TICKS = 2000

/** The maximum number of days after the statement that a row may be dated. */
export const MOST_LATER = 31

export const PREFILLS = ['cleared', 'import', 'none'] as const
export type Prefill = (typeof PREFILLS)[number]

export const STATES = ['open', 'finished', 'undone'] as const

export interface ReconciliationRow {
  id: string
  /** The owner of the account. */
  ownerId: string
  accountId: string
  statementDate: string
  /** The closing balance of the session that was finished before. */
  openingMinor: number
  closingMinor: number
  state: (typeof STATES)[number]
  /** The reconciled balance before it was finished the last time; null until then. */
  reconciledMinor: number | null
  note: string | null
  attachmentId: string | null
  importId: string | null
  finishedAt: number | null
  adjustmentId: string | null
  assertionId: string | null
  createdBy: string
  version: number
  createdAt: number
  updatedAt: number
}

/** The sums and counts of an account on which a session depends. */
export interface SessionStanding {
  currency: string
  /** The sum of the reconciled rows of the account now. */
  reconciledNow: number
  ticked: number
  tickedTotal: bigint
  /** Rows on offer through the statement date that are not ticked. */
  unticked: number
  /** 1 where private rows of others are among those that are reconciled or ticked. */
  isHidden: number
}

/** A session, with what the caller may do on its account: a rank of domain/sharing.ts. */
export interface ReconciliationView extends ReconciliationRow, SessionStanding {
  rank: number
}

/** The five numbers of a session. */
export interface Numbers {
  opening: bigint
  reconciled: bigint
  openingDifference: bigint
  cleared: bigint
  difference: bigint
}

/** Returns the five numbers of a session. A session that is not open has the numbers with which it was finished. */
export function numbersOf(view: ReconciliationView): Numbers {
  const [opening, closing] = [BigInt(view.openingMinor), BigInt(view.closingMinor)]
  const isOpen = view.state === 'open'
  const reconciled = BigInt(isOpen ? view.reconciledNow : (view.reconciledMinor ?? 0))
  const cleared = isOpen ? reconciled + view.tickedTotal : closing
  return {
    ...{ opening, reconciled, cleared },
    openingDifference: reconciled - opening,
    difference: closing - cleared,
  }
}

/** @throws AppError `reconciliations.notOpen` */
export function requireOpenSession({ state }: Pick<ReconciliationRow, 'state'>): void {
  if (state !== 'open') {
    throw reconciliationErrors.notOpen()
  }
}

/** Refuses a day on which no statement can end. */
export function requireStatementDate(
  date: string,
  lastDate: string | null,
  { now, timeZone }: { now: number; timeZone: string },
): void {
  if (date > dateInZone(now, timeZone)) {
    throw reconciliationErrors.dateInFuture({ field: 'statementDate' })
  }
  if (lastDate !== null && date < lastDate) {
    throw reconciliationErrors.dateBeforeLast({ date: lastDate }, { field: 'statementDate' })
  }
}

/** A row of a finished session that is not as it was then. */
export interface DriftRow extends RowTexts {
  transactionId: string
  line: number
  amountMinor: number
  date: string
  /** The amount now on its account; null where it is in the trash, or on another account. */
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
  /** The effect on the sum of reconciled rows. */
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

/** A line that another one takes the place of. */
export interface MovedLine {
  fromId: string
  fromLine: number
  toId: string
  toLine: number
}

type Whole = NonNullable<TransactionMovement['after']>
type Line = Whole['entries'][number]

const accountLines = ({ entries }: Whole): Line[] =>
  entries.filter(({ side }) => side === 'account')

/** The lines that take the place of others on the same account, where transactions are merged, matched or unmatched. */
export function movedLines(movements: TransactionMovement[]): MovedLine[] {
  const booked = new Map(movements.flatMap(({ id, after }) => (after ? [[id, after]] : [])))
  return movements.flatMap(({ id, before, into = [] }) => {
    if (!before) {
      return []
    }
    const targets = into.flatMap((toId) => {
      const whole = booked.get(toId)
      return whole ? accountLines(whole).map((line) => ({ toId, line })) : []
    })
    return accountLines(before).flatMap(({ accountId, amountMinor, line }) => {
      const here = targets.filter((target) => target.line.accountId === accountId)
      // If the account has several parts, the tick moves to the one with that amount.
      const to = here.find((target) => target.line.amountMinor === amountMinor) ?? here[0]
      return to ? [{ fromId: id, fromLine: line, toId: to.toId, toLine: to.line.line }] : []
    })
  })
}

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
  /** The amount by the bank, if it is another one. */
  bankMinor: number | null
  /** 1 where it is ticked and a file of the bank has it. */
  isImported: number
  /** 1 where it is ticked and a file of the bank has the same amount. */
  isConfirmed: number
}

/** A row in the trash that a file of the bank has. */
export interface TrashedCandidate extends CandidateRow, RowTexts {
  transactionId: string
  status: Status
}

/** Two transactions that are no duplicates, in the order of their ids. */
export interface DistinctPair {
  oneId: string
  otherId: string
}
