import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import type { AccountBalanceResponse, BalanceHistoryResponse } from './balances.schemas.ts'
import type { BalanceAt, BalanceHistory } from './balances.usecases.ts'

export function presentBalance({
  account: { id, currency },
  date,
  balance,
  cleared,
  reconciled,
}: BalanceAt): z.infer<typeof AccountBalanceResponse> {
  return {
    accountId: id,
    date,
    currency,
    balance: formatMoney(balance, currency),
    clearedBalance: formatMoney(cleared, currency),
    reconciledBalance: formatMoney(reconciled, currency),
  }
}

export const presentBalanceHistory = ({
  account: { id, currency },
  interval,
  into,
  points,
}: BalanceHistory): z.infer<typeof BalanceHistoryResponse> => ({
  accountId: id,
  currency,
  interval,
  points: points.map(({ date, minor, converted }) => ({
    date,
    balance: formatMoney(minor, currency),
    converted: converted
      ? {
          amount: formatMoney(converted.minor, converted.currency),
          currency: converted.currency,
          rate: converted.rate,
          rateDate: converted.rateDate,
        }
      : null,
  })),
  count: points.length,
  unconverted:
    into === undefined ? [] : points.filter((one) => !one.converted).map(({ date }) => date),
})
