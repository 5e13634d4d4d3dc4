import type { z } from '@hono/zod-openapi'
import { legIdOf, splitIdOf } from '../../domain/ledger.ts'
import { formatMoney, negate } from '../../domain/money.ts'
import { presentStamps } from '../../http/fields.ts'
import type { SignedIn } from '../../platform/context.ts'
import { isForAccount } from '../access/access.public.ts'
import { type Labels, labelsAt, labelsOf, WHOLE } from '../../ledger/labels/labels.public.ts'
import {
  attachmentCountOf,
  type LedgerRow,
  type OtherLine,
  othersOf,
} from '../../ledger/ledger.public.ts'
import type { SplitResponse, TransactionResponse } from './transaction-views.schemas.ts'

/** @param ctx of who asks, where that may see one leg of a transfer and not the other */
export function presentTransaction(
  row: LedgerRow,
  ctx?: SignedIn,
): z.infer<typeof TransactionResponse> {
  const { transactionId, kind, currency, originalCurrency, originalAmountMinor } = row
  const others = othersOf(row)
  const labels = labelsOf(row)
  const whole = labelsAt(labels, WHOLE)
  const isTransfer = kind === 'transfer'
  const parts = isTransfer ? [] : others
  const counter = others.find(
    ({ side, accountId }) =>
      side === 'account' && row.counterIsSeen !== 0 && (!ctx || isForAccount(ctx, accountId)),
  )
  return {
    id: legIdOf(transactionId, kind, row.line),
    kind,
    accountId: row.accountId,
    date: row.date,
    time: row.time,
    amount: formatMoney(Math.abs(row.amountMinor), currency),
    signedAmount: formatMoney(row.amountMinor, currency),
    currency,
    originalAmount:
      originalAmountMinor === null || originalCurrency === null
        ? null
        : formatMoney(originalAmountMinor, originalCurrency),
    originalCurrency,
    rate: row.rate,
    description: row.description,
    payeeId: whole.payeeId,
    payeeRaw: row.payeeRaw,
    categoryId: parts.length === 1 ? (parts[0]?.categoryId ?? null) : null,
    tagIds: whole.tagIds,
    status: row.status,
    reviewed: row.reviewed === 1,
    splits: parts.length > 1 ? parts.map((part) => presentSplit(row, part, labels)) : [],
    transferId: isTransfer ? transactionId : null,
    counterAccountId: counter?.accountId ?? null,
    externalId: row.externalId,
    source: row.source,
    note: row.note,
    location: row.location === null ? null : JSON.parse(row.location),
    metadata: row.metadata === null ? null : JSON.parse(row.metadata),
    private: row.private === 1,
    attachmentCount: attachmentCountOf(row),
    createdBy: row.createdBy,
    ...presentStamps(row),
  }
}

/** The stored line goes the other way than the account's; a part is told in the direction of the whole. */
const presentSplit = (
  row: LedgerRow,
  part: OtherLine,
  labels: Labels,
): z.infer<typeof SplitResponse> => ({
  id: splitIdOf(row.transactionId, part.line),
  amount: formatMoney(
    row.amountMinor < 0 ? part.amountMinor : negate(part.amountMinor),
    row.currency,
  ),
  categoryId: part.categoryId,
  payeeId: labelsAt(labels, part.line).payeeId,
  tagIds: labelsAt(labels, part.line).tagIds,
  note: part.note,
})
