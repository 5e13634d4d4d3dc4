import { addDays, type CalendarDate } from '../../../domain/calendar.ts'
import type { Basis } from '../../../ledger/search/search.public.ts'
import { kindAt, legIdOf } from '../../../domain/ledger-ids.ts'
import type { Kind, Status } from '../../../domain/ledger.ts'

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
  /** The result of the last nightly check. */
  wasOk: boolean
  version: number
  createdAt: number
  updatedAt: number
}

/** The result of comparing an assertion with the books. */
export interface AssertionOutcome {
  /** Null where the caller does not see all lines of the sum. */
  ok: boolean | null
  actualMinor: bigint | null
  /** The booked amount minus the stated one. */
  differenceMinor: bigint | null
}

/** The last day whose lines count at the edge of a day. */
export const lastDayOf = (date: CalendarDate, edge: Edge): CalendarDate =>
  edge === 'endOfDay' ? date : addDays(date, -1)

type Stated = Pick<AssertionRow, 'amountMinor' | 'toleranceMinor'>

/** True if an amount is as stated, within the tolerance. */
export function holds({ amountMinor, toleranceMinor }: Stated, actual: bigint): boolean {
  const difference = actual - BigInt(amountMinor)
  const most = BigInt(toleranceMinor)
  return difference <= most && difference >= -most
}

export const assertionOutcome = (
  stated: Stated,
  actual: bigint,
  isHidden: boolean,
): AssertionOutcome =>
  isHidden
    ? { ok: null, actualMinor: null, differenceMinor: null }
    : {
        ok: holds(stated, actual),
        actualMinor: actual,
        differenceMinor: actual - BigInt(stated.amountMinor),
      }

/** An assertion with its outcome. */
interface Checked {
  row: AssertionRow
  outcome: AssertionOutcome
}

/** The first assertion of an account that does not hold, and the last one before it that does. */
export interface Break<One extends Checked> {
  lastOk: One | undefined
  firstFailing: One | undefined
}

/**
 * Finds the place where the assertions of an account stop being true. The start of an error can be determined only by
 * an assertion of the same kind of sum.
 * @param checked in the order of the days whose lines count
 */
export function breakIn<One extends Checked>(checked: One[]): Break<One> {
  const firstFailing = checked.find(({ outcome }) => outcome.ok === false)
  const lastOk = checked.findLast(
    ({ row, outcome }) =>
      outcome.ok === true &&
      (!firstFailing ||
        (row.through < firstFailing.row.through && row.basis === firstFailing.row.basis)),
  )
  return { lastOk, firstFailing }
}

/** A line as an account has it, or had it. */
interface Line {
  date: string
  amountMinor: number
  status: Status
}

/** A line that was made or changed after a failing assertion was stored. */
export interface ChangedLine extends Line {
  accountId: string
  transactionId: string
  line: number
  kind: Kind
  changedAt: number
}

/** A change of a line in the log. */
export interface ChangeOfLine {
  sequence: number
  at: number
  type: string
  resourceId: string
  accountId: string | null
  actorId: string | null
  /** JSON. */
  content: string | null
}

/** A line that may be what broke an assertion. */
export interface SuspectLine {
  id: string
  date: string
  /** The effect on the sum. */
  movedMinor: bigint
  at: number
  actorId: string | null
}

/** The id that a line's transaction is addressed by on its account. */
export const idOfLine = ({ transactionId, line, kind }: ChangedLine): string =>
  legIdOf(transactionId, kindAt(line, kind), line)

const COUNTED: Record<Basis, (status: Status) => boolean> = {
  balance: (status) => status !== 'void',
  cleared: (status) => status === 'cleared' || status === 'reconciled',
  reconciled: (status) => status === 'reconciled',
}

/** Returns the part of a line in a sum; undefined is a line that does not exist. */
const partOf = (line: Line | undefined, { basis, through }: AssertionRow): bigint =>
  line && line.date <= through && COUNTED[basis](line.status) ? BigInt(line.amountMinor) : 0n

interface Images {
  before?: Partial<Line> & { accountId?: string }
}

/** A line as it was before some changes of it. @param changes newest first */
function before(line: Line, changes: ChangeOfLine[]): Line | undefined {
  let was: Line | undefined = line
  for (const { type, accountId, content } of changes) {
    const { before: found } = JSON.parse(content ?? '{}') as Images
    // A change that only added something has nothing before it.
    const image = found ?? (type === 'transaction.updated' ? {} : undefined)
    const isElsewhere = image?.accountId !== undefined && image.accountId !== accountId
    was = image === undefined || isElsewhere ? undefined : { ...(was ?? line), ...lineOf(image) }
  }
  return was
}

const lineOf = ({ date, amountMinor, status }: Partial<Line>): Partial<Line> => ({
  ...(date === undefined ? {} : { date }),
  ...(amountMinor === undefined ? {} : { amountMinor }),
  ...(status === undefined ? {} : { status }),
})

/**
 * The lines that moved the sum of an assertion after it was stored, the newest change first.
 * @param changes of all lines, newest first
 */
export function suspectsOf(
  failing: AssertionRow,
  lines: ChangedLine[],
  changes: ChangeOfLine[],
): SuspectLine[] {
  return lines
    .filter(({ accountId }) => accountId === failing.accountId)
    .map((line) => {
      const id = idOfLine(line)
      const own = changes.filter(
        ({ resourceId, accountId, at }) =>
          resourceId === id && accountId === line.accountId && at > failing.createdAt,
      )
      const movedMinor = partOf(line, failing) - partOf(before(line, own), failing)
      const [newest] = own
      const actorId = newest?.actorId ?? null
      return { id, date: line.date, movedMinor, at: newest?.at ?? line.changedAt, actorId }
    })
    .filter(({ movedMinor }) => movedMinor !== 0n)
    .toSorted((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
}

/** True if suspects explain the whole difference of an assertion. */
export const explains = (suspects: SuspectLine[], differenceMinor: bigint | null): boolean =>
  suspects.reduce((sum, { movedMinor }) => sum + movedMinor, 0n) === differenceMinor
