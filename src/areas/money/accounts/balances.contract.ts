import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { REPORT_INTERVALS } from '../../../domain/reports/intervals.ts'
import { count, currency, currencyInput, date, dateInput, id, money } from '../../../http/fields.ts'
import { convertedField } from './accounts.contract.ts'
import type { BalanceAt, BalanceHistory } from './balances.usecases.ts'

export const AccountBalanceQuery = z.strictObject({
  date: dateInput('Day whose closing balance is returned.'),
})

export const AccountBalanceResponse = z
  .object({
    accountId: id('acc', 'Id of the account.'),
    date: date('Day whose closing balance this is.'),
    currency: currency('Currency of the account.'),
    balance: money('Balance of all transactions up to that day.'),
    clearedBalance: money('Part of the balance that the bank has confirmed.'),
    reconciledBalance: money('Part of the balance that is reconciled with a statement.'),
  })
  .openapi('AccountBalanceResponse')

export const interval = z
  .enum(REPORT_INTERVALS)
  .openapi({ description: 'Interval between points; weeks end on Sunday.', example: 'month' })

export const BalanceHistoryQuery = z.strictObject({
  from: dateInput('First day.'),
  to: dateInput('Last day, which is also the day of the last point.'),
  interval: interval.default('month'),
  currency: currencyInput(
    'Currency into which each balance is also converted, at the rate of its day.',
  ).optional(),
})

export const BalanceHistoryResponse = z
  .object({
    accountId: id('acc', 'Id of the account.'),
    currency: currency('Currency of the account.'),
    interval,
    points: z
      .array(
        z.object({
          date: date('Last day of the interval, or the last requested day.'),
          balance: money('Balance at the end of that day.'),
          converted: convertedField,
        }),
      )
      .openapi({ description: 'Points, oldest first.' }),
    count,
    unconverted: z.array(z.string()).openapi({
      description: 'Number of points without a rate to the requested currency.',
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
          stale: converted.stale,
        }
      : null,
  })),
  count: points.length,
  unconverted:
    into === undefined ? [] : points.filter((one) => !one.converted).map(({ date }) => date),
})
