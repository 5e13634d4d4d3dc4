import type { z } from '@hono/zod-openapi'
import { transferOf } from '../../domain/ledger.ts'
import { formatMoney } from '../../domain/money.ts'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import { entriesOf } from '../../ledger/ledger.public.ts'
import { labelsAt, labelsOf, WHOLE } from '../../ledger/labels/labels.public.ts'
import { presentTransaction } from '../transaction-views/transaction-views.public.ts'
import type { ListTransfersResponse, TransferResponse } from './transfers.schemas.ts'
import type { TransferView } from './transfers.usecases.ts'

export function presentTransfer({ from, to }: TransferView): z.infer<typeof TransferResponse> {
  const fee = transferOf(entriesOf(from))?.fee
  return {
    id: from.transactionId,
    date: from.date,
    from: presentTransaction(from),
    to: presentTransaction(to),
    amount: formatMoney(Math.abs(from.amountMinor), from.currency),
    currency: from.currency,
    toAmount: formatMoney(to.amountMinor, to.currency),
    toCurrency: to.currency,
    rate: from.rate,
    fee: fee
      ? { amount: formatMoney(fee.amountMinor, from.currency), categoryId: fee.categoryId }
      : null,
    description: from.description,
    tagIds: labelsAt(labelsOf(from), WHOLE).tagIds,
    note: from.note,
    ...presentStamps(from),
  }
}

export const presentTransfers = ({
  rows,
  count,
  nextCursor,
}: Listed<TransferView>): z.infer<typeof ListTransfersResponse> => ({
  transfers: rows.map(presentTransfer),
  count,
  nextCursor,
})
