import type { AppError } from '../../domain/errors.ts'
import type { Status } from '../../domain/ledger.ts'

/** Whether the caller that a row was read for does not see another account of its transaction. */
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

/** Whether any account's side of a transaction was reconciled with a statement. */
const isReconciled = ({ status, others }: Reconcilable): boolean =>
  status === 'reconciled' ||
  (JSON.parse(others) as { status: Status }[]).some((line) => line.status === 'reconciled')

/** A request that can be forced, with its changed fields; a deletion has none. */
interface Forcible {
  force?: boolean | undefined
}

/**
 * Refuses any change of a transaction that is reconciled, its words included, unless it is forced.
 * @returns what the log says of it, beside the images
 */
export function requireUnreconciled(
  row: Reconcilable,
  wanted: Forcible,
  refused: () => AppError,
): { forced?: true } {
  if (!isReconciled(row) || (!wanted.force && isReconciling(wanted))) {
    return {}
  }
  if (!wanted.force) {
    throw refused()
  }
  return { forced: true }
}

/**
 * Whether a change only says that a statement confirms it. That takes nothing back, so it is free: else the
 * second account of a transfer could not be reconciled once the first is.
 */
const isReconciling = ({ force: _force, ...changes }: Forcible): boolean =>
  JSON.stringify(changes) === '{"status":"reconciled"}'
