import type { SignedIn } from '../../../platform/context.ts'
import { commit, read, requireVersion } from '../../../platform/database/database.ts'
import { owns } from '../../identity/access/access.public.ts'
import {
  discard,
  type LedgerRow,
  ledgerRowById,
  namingLocks,
  post,
} from '../../../ledger/ledger.public.ts'
import { removalOf } from './changes/changes.rules.ts'
import { rowOfMade } from './recording/making.usecases.ts'
import { bookingErrors } from './recording/posting-errors.rules.ts'
import { recordOne } from './recording/recording.usecases.ts'
import { transactionErrors } from './transactions.errors.ts'
import { exchanged, withRates } from '../exchange-rates/exchange-rates.public.ts'
import type { SentTransaction, SingleKind } from './transactions.rules.ts'

/**
 * @param kind of those that are looked at: one of another is as if it were not there
 * @param convert the currency into which its amount is converted, too
 */
export async function findTransaction(
  ctx: SignedIn,
  id: string,
  kind?: SingleKind,
  convert?: string,
): Promise<LedgerRow> {
  const [found] = await read(ctx, withRates(ctx, ledgerRowById(ctx, id), convert))
  return existingRow(exchanged(ctx, found, convert)[0], kind)
}

export function existingRow(row: LedgerRow | undefined, kind?: SingleKind): LedgerRow {
  if (!row || (kind && row.kind !== kind)) {
    throw transactionErrors.notFound()
  }
  return row
}

export const transactionConflicts = {
  'entries.external_id': () => transactionErrors.externalIdTaken({ field: 'externalId' }),
}

export interface CreatedTransaction {
  row: LedgerRow
  /** False when the account had a transaction with this external id: then it is that one. */
  isNew: boolean
}

/**
 * Books an expense, an income or an adjustment.
 * @param kind what alone may be shown in place of it, where its externalId is taken
 */
export const createTransaction = (
  ctx: SignedIn,
  sent: SentTransaction,
  kind?: SingleKind,
): Promise<CreatedTransaction> =>
  recordOne(ctx, sent, { force: sent.force, shownKind: kind }, (recorded) =>
    'made' in recorded
      ? { row: rowOfMade(recorded.made), isNew: true }
      : { row: recorded.existing, isNew: false },
  )

/** The item that moved to the trash of its owner. */
export interface Discarded {
  /** True if that is the caller. */
  isOwn: boolean
}

/** Moves a transaction to the trash; a leg goes with its transfer, an opening with its account. */
export async function deleteTransaction(
  ctx: SignedIn,
  id: string,
  force?: boolean,
  kind?: SingleKind,
): Promise<Discarded> {
  const row = await findTransaction(ctx, id, kind)
  requireVersion(ctx, row.version)
  const forced = await namingLocks(ctx, row, () => removalOf(row, force))
  return commit(ctx, {
    changes: [post(ctx, { ...bookingErrors, force }, discard(ctx, [{ row, ...forced }]))],
    result: { isOwn: owns(ctx.caller, row) },
  })
}
