import type { AppError } from '../../domain/errors.ts'
import { isSameMoney } from '../../domain/comparing.ts'
import type { Entry, Status } from '../../domain/ledger.ts'

/** True if another account of the transaction is hidden from the caller that the row was read for. */
export const hidesAccount = (
  { hiddenAccountIds }: { hiddenAccountIds?: string | null },
  accountId: string,
): boolean => (JSON.parse(hiddenAccountIds ?? '[]') as string[]).includes(accountId)

/** The fields of a row that show whether it is reconciled. */
interface Reconcilable {
  status: Status
  /** JSON of the other lines; each has the status of its account's side. */
  others: string
}

/** True if any account's side of a transaction was reconciled with a statement. */
const isReconciled = ({ status, others }: Reconcilable): boolean =>
  status === 'reconciled' ||
  (JSON.parse(others) as { status: Status }[]).some((line) => line.status === 'reconciled')

/** A request that can be forced. */
interface Forcible {
  force?: boolean | undefined
}

/**
 * Refuses what a reconciled transaction does not allow, unless it is forced: a deletion, or another transaction in its place.
 * @returns what the log says of it, beside the images
 */
export function requireUnreconciled(
  row: Reconcilable,
  { force }: Forcible,
  refused: () => AppError,
): { forced?: true } {
  if (!isReconciled(row)) {
    return {}
  }
  if (!force) {
    throw refused()
  }
  return { forced: true }
}

/** The fields of a transaction that a statement also shows, beside its lines. */
interface OnStatement {
  date: string
  kind: string
  originalAmountMinor: number | null
  originalCurrency: string | null
  rate: string | null
}

/** A change of a stored row. */
interface Edit {
  columns: Partial<OnStatement>
  before: Entry[]
  after: Entry[]
}

/** Refuses to change what a statement says of a reconciled transaction, unless it is forced. Words, labels and marks are free. */
export const requireAsReconciled = (
  row: Reconcilable & OnStatement,
  edit: Edit,
  wanted: Forcible,
  refused: () => AppError,
): { forced?: true } =>
  changesStatement(row, edit) ? requireUnreconciled(row, wanted, refused) : {}

const ON_STATEMENT = ['date', 'kind', 'originalAmountMinor', 'originalCurrency', 'rate'] as const

const changesStatement = (row: OnStatement, { columns, before, after }: Edit): boolean =>
  ON_STATEMENT.some((name) => columns[name] !== undefined && columns[name] !== row[name]) ||
  !isSameMoney(before, withFreeStatuses(before, after))

/** Entries with the statuses that they had, where these may change. */
const withFreeStatuses = (before: Entry[], after: Entry[]): Entry[] =>
  after.map((entry) => {
    const status = before.find(({ line }) => line === entry.line)?.status
    return status !== undefined && isFree(status, entry.status) ? { ...entry, status } : entry
  })

/** A statement may confirm a line; it takes nothing back, and nothing that it did not confirm is on it. */
const isFree = (from: Status, to: Status): boolean =>
  to === 'reconciled' || (from !== 'reconciled' && from !== 'void' && to !== 'void')
