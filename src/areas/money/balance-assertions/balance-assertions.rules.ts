import { addDays, type CalendarDate } from '../../../domain/calendar.ts'
import type { Basis } from '../../../ledger/search/search.public.ts'

export type Edge = 'startOfDay' | 'endOfDay'

export interface AssertionRow {
  id: string
  /** The owner of the account. */
  ownerId: string
  accountId: string
  date: string
  edge: Edge
  basis: Basis
  /** The last day that counts. */
  through: string
  amountMinor: number
  toleranceMinor: number
  source: 'user' | 'lock' | 'import' | 'reconciliation'
  lockId: string | null
  note: string | null
  createdBy: string
  /** What the last nightly check found. */
  wasOk: boolean
  version: number
  createdAt: number
  updatedAt: number
}

/** What an assertion says, compared with what is booked now. */
export interface AssertionOutcome {
  /** Null where the caller does not see all lines of the sum. */
  ok: boolean | null
  actualMinor: bigint | null
  /** What is booked less what was stated. */
  differenceMinor: bigint | null
}

/** The last day whose lines count at the edge of a day. */
export const lastDayOf = (date: CalendarDate, edge: Edge): CalendarDate =>
  edge === 'endOfDay' ? date : addDays(date, -1)

type Stated = Pick<AssertionRow, 'amountMinor' | 'toleranceMinor'>

/** Whether an amount is as stated, within the tolerance. */
export function holds({ amountMinor, toleranceMinor }: Stated, actual: bigint): boolean {
  const difference = actual - BigInt(amountMinor)
  const most = BigInt(toleranceMinor)
  return difference <= most && difference >= -most
}

export const outcomeOf = (stated: Stated, actual: bigint, isHidden: boolean): AssertionOutcome =>
  isHidden
    ? { ok: null, actualMinor: null, differenceMinor: null }
    : {
        ok: holds(stated, actual),
        actualMinor: actual,
        differenceMinor: actual - BigInt(stated.amountMinor),
      }
