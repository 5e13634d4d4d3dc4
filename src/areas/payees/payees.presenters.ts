import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import { presentStamps, toInstantOrNull } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import { fromWideSum } from '../../platform/wide-sums.ts'
import type { PayeeRow } from './payees.queries.ts'
import type { ListPayeesResponse, PayeeDetailsResponse, PayeeResponse } from './payees.schemas.ts'
import type { PayeeDetails } from './payees.usecases.ts'

export const presentPayee = (payee: PayeeRow): z.infer<typeof PayeeResponse> => ({
  id: payee.id,
  name: payee.name,
  defaultCategoryId: payee.defaultCategoryId,
  aliases: JSON.parse(payee.aliases),
  note: payee.note,
  archived: payee.archived,
  lastUsedAt: toInstantOrNull(payee.lastUsedAt),
  ...presentStamps(payee),
})

export const presentPayeeDetails = ({
  payee,
  totals,
}: PayeeDetails): z.infer<typeof PayeeDetailsResponse> => ({
  ...presentPayee(payee),
  totals: totals.map(({ currency, paid, received, transactionCount }) => ({
    currency,
    paid: formatMoney(fromWideSum(paid), currency),
    received: formatMoney(fromWideSum(received), currency),
    transactionCount,
  })),
})

export const presentPayees = ({
  rows,
  count,
  nextCursor,
}: Listed<PayeeRow>): z.infer<typeof ListPayeesResponse> => ({
  payees: rows.map(presentPayee),
  count,
  nextCursor,
})
