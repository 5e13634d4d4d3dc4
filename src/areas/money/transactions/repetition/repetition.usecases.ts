import { AppError } from '../../../../domain/errors.ts'
import { foldKey } from '../../../../domain/text.ts'
import type { SignedIn } from '../../../../platform/context.ts'
import { commit, read } from '../../../../platform/database.ts'
import { type LedgerRow, ledgerRowsByExternalIds } from '../../../../ledger/ledger.public.ts'
import { transactionErrors } from '../transactions.errors.ts'
import type { SentTransaction, SingleKind } from '../transactions.rules.ts'

export interface CreatedTransaction {
  row: LedgerRow
  /** False when the account had a transaction with this external id: then it is that one. */
  isNew: boolean
}

/**
 * Nothing is booked; but an Idempotency-Key must stand for this request, and this answer, from now on.
 * @param kind what alone may be shown
 */
export async function answerExisting(
  ctx: SignedIn,
  row: LedgerRow,
  kind: SingleKind | undefined,
): Promise<CreatedTransaction> {
  if (kind && row.kind !== kind) {
    throw transactionErrors.externalIdTaken({ field: 'externalId' })
  }
  const result = { row, isNew: false }
  if (!ctx.repeatable) {
    return result
  }
  return commit(ctx, { changes: [], result })
}

/** The transactions that have these external ids already; an empty one is nobody's. */
export const existingByExternalId = (ctx: SignedIn, ...all: SentTransaction[]) =>
  ledgerRowsByExternalIds(
    ctx,
    externalIdsOf(all),
    all.flatMap(({ accountName, externalId }) =>
      accountName !== undefined && externalId ? [[foldKey(accountName), externalId]] : [],
    ),
  )

/** The external ids that transactions are to have, as pairs with the account. */
export const externalIdsOf = (
  all: Pick<SentTransaction, 'accountId' | 'externalId'>[],
): [string, string][] =>
  all.flatMap(({ accountId, externalId }) =>
    accountId !== undefined && externalId ? [[accountId, externalId]] : [],
  )

/**
 * A parallel request with the same external id may have been first: then its transaction is the answer. It
 * is not kept for an Idempotency-Key, as that would be one more trip; the next request with the key is.
 */
export async function existingOrThrow(
  ctx: SignedIn,
  wanted: SentTransaction,
  error: unknown,
  kind: SingleKind | undefined,
): Promise<CreatedTransaction> {
  if (error instanceof AppError && error.code === transactionErrors.externalIdTaken().code) {
    const [[twin]] = await read(ctx, existingByExternalId(ctx, wanted))
    if (twin && (!kind || twin.kind === kind)) {
      return { row: twin, isNew: false }
    }
  }
  throw error
}
