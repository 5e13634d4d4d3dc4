import { z } from '@hono/zod-openapi'
import {
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  maybe,
  money,
  output,
  whole,
} from '../../http/fields.ts'
import { accountFields, interval, unconvertedAccount } from '../accounts/accounts.public.ts'
import { way } from '../exchange-rates/exchange-rates.public.ts'

const wantedCurrency = currencyInput(
  'Convert into this currency, for display only; the base currency of the user unless said.',
).optional()

export const NetWorthQuery = z.strictObject({
  date: dateInput('The day at whose end it is; today unless said.').optional(),
  currency: wantedCurrency,
})

const totals = {
  assets: money('What is owned.'),
  liabilities: money('What is owed: the sum of those balances, so negative.'),
  netWorth: money('Both together.'),
}

const NetWorthAccount = z.object({
  accountId: id('acc', 'The account.'),
  name: output('Its name.', 'Everyday'),
  type: accountFields.type,
  class: accountFields.class,
  status: accountFields.status.openapi({ description: 'Whether it is open now.' }),
  currency: currency('Its currency.'),
  balance: money('At the end of that day.'),
  converted: z
    .object({
      amount: money('The balance in the wanted currency, rounded half to even once.'),
      rate: output('The rate, rounded to 12 places; the amount is not rounded by it.', '1.0842'),
      rateDate: maybe('Day of the older rate used; null where no rate was needed.', '2026-11-20'),
      ...way,
    })
    .nullable()
    .openapi({ description: 'Null without a rate on or before that day.' }),
})

export const NetWorthResponse = z
  .object({
    date: date('The day at whose end it is.'),
    currency: currency('What `totals` are in.'),
    totals: z.object(totals).openapi({ description: 'The converted amounts, summed.' }),
    totalsByCurrency: z
      .array(z.object({ currency: currency(), ...totals }))
      .openapi({ description: 'Of each currency by itself.' }),
    accounts: z.array(NetWorthAccount).openapi({
      description: 'Those that count: open ones, and closed ones that had something on them then.',
    }),
    count,
    unconverted: z
      .array(unconvertedAccount)
      .openapi({ description: 'Balances without a rate on that day; not in `totals`.' }),
    ratesAsOf: maybe('Day of the oldest rate used.', '2026-11-20'),
  })
  .openapi('NetWorthResponse')

export const NetWorthHistoryQuery = z.strictObject({
  from: dateInput('First day.'),
  to: dateInput('Last day; the last point is of this day.'),
  interval: interval.default('month'),
  currency: wantedCurrency,
})

export const NetWorthHistoryResponse = z
  .object({
    currency: currency('What all amounts are in.'),
    interval,
    points: z
      .array(
        z.object({
          date: date('The last day of the interval, or the last day asked for.'),
          ...totals,
          unconverted: whole('How many accounts it leaves out, for want of a rate by then.', 0),
        }),
      )
      .openapi({ description: 'Oldest first; each at the rates of its day.' }),
    count,
    unconverted: z
      .array(
        z.object({
          accountId: id('acc', 'The account.'),
          currency: currency(),
          from: date('The first point that leaves it out.'),
          to: date('The last one.'),
        }),
      )
      .openapi({ description: 'Accounts that some points leave out.' }),
  })
  .openapi('NetWorthHistoryResponse')
