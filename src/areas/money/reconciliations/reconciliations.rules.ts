import { dateInZone } from '../../../domain/calendar.ts'
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
  /** What was reconciled before it was finished the last time; null until then. */
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
export interface Standing {
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
export interface ReconciliationView extends ReconciliationRow, Standing {
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
export function requireOpen({ state }: Pick<ReconciliationRow, 'state'>): void {
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
