import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import {
  count,
  currency,
  currencyInput,
  date,
  dateInput,
  id,
  nullableText,
  money,
  textField,
  integerField,
} from '../../../http/fields.ts'
import {
  accountFields,
  interval,
  unconvertedAccount,
} from '../../money/accounts/accounts.public.ts'
import { viaOf, way } from '../../money/exchange-rates/exchange-rates.public.ts'
import type { Totals } from './reports.rules.ts'
import type { NetWorth, NetWorthHistory } from './reports.usecases.ts'

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
  name: textField('Its name.', 'Everyday'),
  type: accountFields.type,
  class: accountFields.class,
  status: accountFields.status.openapi({ description: 'Whether it is open now.' }),
  currency: currency('Its currency.'),
  balance: money('At the end of that day.'),
  converted: z
    .object({
      amount: money('The balance in the wanted currency, rounded half to even once.'),
      rate: textField('The rate, rounded to 12 places; the amount is not rounded by it.', '1.0842'),
      rateDate: nullableText(
        'Day of the older rate used; null where no rate was needed.',
        '2026-11-20',
      ),
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
    ratesAsOf: nullableText('Day of the oldest rate used.', '2026-11-20'),
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
          unconverted: integerField(
            'How many accounts it leaves out, for want of a rate by then.',
            0,
          ),
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

const presentTotals = ({ assets, liabilities }: Totals, currency: string) => ({
  assets: formatMoney(assets, currency),
  liabilities: formatMoney(liabilities, currency),
  netWorth: formatMoney(assets + liabilities, currency),
})

export const presentNetWorth = (found: NetWorth): z.infer<typeof NetWorthResponse> => ({
  date: found.date,
  currency: found.currency,
  totals: presentTotals(found.totals, found.currency),
  totalsByCurrency: found.totalsByCurrency.map(({ currency, totals }) => ({
    currency,
    ...presentTotals(totals, currency),
  })),
  accounts: found.accounts.map(({ account, minor, chosen, converted, ...one }) => ({
    accountId: account.id,
    name: account.name,
    type: account.type,
    class: one.class,
    status: account.status,
    currency: one.currency,
    balance: formatMoney(minor, one.currency),
    converted:
      chosen && converted !== undefined
        ? {
            amount: formatMoney(converted, found.currency),
            rate: chosen.rateText,
            rateDate: chosen.date ?? null,
            path: chosen.path,
            via: viaOf(chosen, found.base),
          }
        : null,
  })),
  count: found.accounts.length,
  unconverted: found.unconverted.map(({ account, currency, minor }) => ({
    accountId: account.id,
    currency,
    balance: formatMoney(minor, currency),
  })),
  ratesAsOf: found.accounts.flatMap(({ chosen }) => chosen?.date ?? []).toSorted()[0] ?? null,
})

export const presentNetWorthHistory = ({
  currency,
  interval,
  points,
  unconverted,
}: NetWorthHistory): z.infer<typeof NetWorthHistoryResponse> => ({
  currency,
  interval,
  points: points.map(({ date, totals, unconverted: left }) => ({
    date,
    ...presentTotals(totals, currency),
    unconverted: left,
  })),
  count: points.length,
  unconverted: unconverted.map(({ account, from, to }) => ({
    accountId: account.id,
    currency: account.currency,
    from,
    to,
  })),
})
