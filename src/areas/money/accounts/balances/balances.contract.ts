import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  money,
} from '../../../../http/fields.ts'
import { convertedField } from '../accounts.contract.ts'
import { INTERVALS } from './balances.rules.ts'
import type { BalanceAt, BalanceHistory } from './balances.usecases.ts'

export const AccountBalanceQuery = z.strictObject({
  date: dateInput('The day at whose end the balance is wanted.'),
})

export const AccountBalanceResponse = z
  .object({
    accountId: id('acc', 'The account.'),
    date: date('The day at whose end it is.'),
    currency: currency('The currency of the account.'),
    balance: money('All that is booked up to then.'),
    clearedBalance: money('What of that the bank has confirmed.'),
    reconciledBalance: money('What of that was reconciled with a statement.'),
  })
  .openapi('AccountBalanceResponse')

export const interval = z
  .enum(INTERVALS)
  .openapi({ description: 'How far points are apart; weeks end on Sunday.', example: 'month' })

export const BalanceHistoryQuery = z.strictObject({
  from: dateInput('First day.'),
  to: dateInput('Last day; the last point is of this day.'),
  interval: interval.default('month'),
  currency: currencyInput(
    'Also convert each balance into this currency, by the rate of its day.',
  ).optional(),
})

export const BalanceHistoryResponse = z
  .object({
    accountId: id('acc', 'The account.'),
    currency: currency('The currency of the account.'),
    interval,
    points: z
      .array(
        z.object({
          date: date('The last day of the interval, or the last day asked for.'),
          balance: money('At the end of that day.'),
          converted: convertedField,
        }),
      )
      .openapi({ description: 'Oldest first.' }),
    count,
    unconverted: z.array(z.string()).openapi({
      description: 'Points that had no rate to the requested currency yet.',
      example: [],
    }),
  })
  .openapi('BalanceHistoryResponse')

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
