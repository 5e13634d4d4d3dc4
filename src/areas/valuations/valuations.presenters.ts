import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import { presentStamps } from '../../http/fields.ts'
import type { Listed } from '../../http/pagination.ts'
import type { ListValuationsResponse, ValuationResponse } from './valuations.schemas.ts'
import type { Valuation } from './valuations.usecases.ts'

export function presentValuation(valuation: Valuation): z.infer<typeof ValuationResponse> {
  const { currency, valueMinor, balanceMinor } = valuation
  return {
    id: valuation.id,
    accountId: valuation.accountId,
    date: valuation.date,
    currency,
    value: formatMoney(valueMinor, currency),
    balance: formatMoney(balanceMinor, currency),
    difference: formatMoney(balanceMinor - BigInt(valueMinor), currency),
    note: valuation.note,
    transactionId: valuation.isHidden === 1 ? null : valuation.transactionId,
    ...presentStamps(valuation),
  }
}

export const presentValuations = ({
  rows,
  count,
  nextCursor,
}: Listed<Valuation>): z.infer<typeof ListValuationsResponse> => ({
  valuations: rows.map(presentValuation),
  count,
  nextCursor,
})
