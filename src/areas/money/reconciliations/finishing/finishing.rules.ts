import type { Status } from '../../../../domain/ledger.ts'
import { type Amendment, entriesOf, type LedgerRow } from '../../../../ledger/ledger.public.ts'

/** A row of a finished session, as it was then. */
export interface FinishedRow {
  /** The id of its transaction, as its account addresses it. */
  id: string
  transactionId: string
  line: number
  statusBefore: Status
  amountMinor: number
  date: string
}

type Line = ReturnType<typeof entriesOf>[number]

/** Tells whether a line has the status of a row: on the other side of a part the two lines of that, else all of the account. */
const isOf = ({ line, accountId, pair }: LedgerRow, entry: Line): boolean =>
  pair === null
    ? entry.accountId === accountId && entry.pair === null
    : entry.line === line || entry.line === line + 1

/** Gives rows another status, each on its own account alone. Two rows may be of one transaction. */
export const statusChanges = (
  rows: LedgerRow[],
  statusOf: (row: LedgerRow) => Status,
): Amendment[] =>
  [...Map.groupBy(rows, ({ transactionId }) => transactionId).values()].flatMap((own) =>
    own.slice(0, 1).map((row) => ({
      ...{ row, columns: {}, right: 'annotate', carries: true, on: [row.accountId] },
      entries: entriesOf(row).map((entry) => {
        const changed = own.find((one) => isOf(one, entry))
        return changed ? { ...entry, status: statusOf(changed) } : entry
      }),
    })),
  )

/** The reasons for which a row stays as it is when its session is undone. */
export const UNCHANGED_REASONS = ['gone', 'notReconciled', 'changed', 'locked'] as const

export interface UnchangedRow {
  id: string
  reason: (typeof UNCHANGED_REASONS)[number]
}

/** The changes that undoing makes to the rows of a session. */
export interface Undoing {
  /** Rows that get the status back that they had. */
  restored: { row: LedgerRow; status: Status }[]
  /** The adjustment, if it goes to the trash. */
  discarded: LedgerRow | undefined
  kept: UnchangedRow[]
}

/** A session with what its undoing goes by. */
interface Undone {
  adjustmentId: string | null
  lockedThrough: string | null
}

const keyOf = ({ transactionId, line }: { transactionId: string; line: number }) =>
  `${transactionId} ${line}`

/** @param rows of its account, as they are now */
export function decideUndo(
  stored: FinishedRow[],
  rows: LedgerRow[],
  { adjustmentId, lockedThrough }: Undone,
): Undoing {
  const byKey = new Map(rows.map((row) => [keyOf(row), row]))
  const undoing: Undoing = { restored: [], discarded: undefined, kept: [] }
  for (const { id, transactionId, line, statusBefore, amountMinor, date } of stored) {
    const row = byKey.get(keyOf({ transactionId, line }))
    if (!row) {
      undoing.kept.push({ id, reason: 'gone' })
    } else if (row.status !== 'reconciled') {
      undoing.kept.push({ id, reason: 'notReconciled' })
    } else if (row.amountMinor !== amountMinor || row.date !== date) {
      undoing.kept.push({ id, reason: 'changed' })
    } else if (transactionId !== adjustmentId) {
      undoing.restored.push({ row, status: statusBefore })
    } else if (row.version > 1) {
      undoing.kept.push({ id, reason: 'changed' })
    } else if (date <= (lockedThrough ?? '')) {
      undoing.kept.push({ id, reason: 'locked' })
    } else {
      undoing.discarded = row
    }
  }
  return undoing
}
