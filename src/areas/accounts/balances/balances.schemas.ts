import { z } from '@hono/zod-openapi'
import { count, currency, currencyInput, date, dateInput, id, money } from '../../../http/fields.ts'
import { convertedField } from '../accounts.schemas.ts'
import { INTERVALS } from './balances.rules.ts'

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
