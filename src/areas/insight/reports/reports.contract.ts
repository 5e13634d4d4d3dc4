import { z } from '@hono/zod-openapi'
import { oldestRate } from '../../../domain/exchange.ts'
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
import {
  presentUsedRate,
  rateWarnings,
  staleWarnings,
  usedRate,
} from '../../money/exchange-rates/exchange-rates.public.ts'
import type { WorthTotals } from './reports.rules.ts'
import type { NetWorth, NetWorthHistory } from './reports.usecases.ts'

const wantedCurrency = currencyInput(
  'Currency to convert into, for display only; by default the user’s base currency.',
).optional()

export const NetWorthQuery = z.strictObject({
  date: dateInput('Day at whose end the net worth is calculated; by default today.').optional(),
  currency: wantedCurrency,
})

const totals = {
  assets: money('Sum of the assets.'),
  liabilities: money('Sum of the balances of liabilities, which is negative for debts.'),
  netWorth: money('Sum of assets and liabilities.'),
}

const NetWorthAccount = z.object({
  accountId: id('acc', 'Id of the account.'),
  name: textField('Name of the account.', 'Everyday'),
  type: accountFields.type,
  class: accountFields.class,
  status: accountFields.status.openapi({ description: 'Current status of the account.' }),
  currency: currency('Currency of the account.'),
  balance: money('Balance at the end of the day.'),
  converted: z
    .object({
      amount: money('Balance in the requested currency, rounded once, half to even.'),
      ...usedRate,
    })
    .nullable()
    .openapi({ description: 'Converted balance; null if there is no rate on or before that day.' }),
})

export const NetWorthResponse = z
  .object({
    date: date('Day at whose end the net worth is calculated.'),
    currency: currency('Currency of `totals`.'),
    totals: z.object(totals).openapi({ description: 'Sums of the converted amounts.' }),
    totalsByCurrency: z
      .array(z.object({ currency: currency(), ...totals }))
      .openapi({ description: 'Sums by currency, not converted.' }),
    accounts: z.array(NetWorthAccount).openapi({
      description:
        'Accounts in the calculation: open ones, and closed ones that had a balance on that day.',
    }),
    count,
    unconverted: z.array(unconvertedAccount).openapi({
      description: 'Balances without a rate on that day. They are left out of `totals`.',
    }),
    ratesAsOf: nullableText('Date of the oldest rate used.', '2026-11-20'),
    warnings: rateWarnings,
  })
  .openapi('NetWorthResponse')

export const NetWorthHistoryQuery = z.strictObject({
  from: dateInput('First day.'),
  to: dateInput('Last day, which is also the day of the last point.'),
  interval: interval.default('month'),
  currency: wantedCurrency,
})

export const NetWorthHistoryResponse = z
  .object({
    currency: currency('Currency of all amounts.'),
    interval,
    points: z
      .array(
        z.object({
          date: date('Last day of the interval, or the last requested day.'),
          ...totals,
          unconverted: integerField(
            'Number of accounts that are left out because they have no rate on that day.',
            0,
          ),
        }),
      )
      .openapi({ description: 'Points, oldest first, each converted at the rates of its day.' }),
    count,
    unconverted: z
      .array(
        z.object({
          accountId: id('acc', 'Id of the account.'),
          currency: currency(),
          from: date('Date of the first point that leaves the account out.'),
          to: date('Date of the last point that leaves the account out.'),
        }),
      )
      .openapi({ description: 'Accounts that are left out of some points.' }),
    warnings: rateWarnings,
  })
  .openapi('NetWorthHistoryResponse')

const presentTotals = ({ assets, liabilities }: WorthTotals, currency: string) => ({
  assets: formatMoney(assets, currency),
  liabilities: formatMoney(liabilities, currency),
  netWorth: formatMoney(assets + liabilities, currency),
})

export const presentNetWorth = (found: NetWorth): z.infer<typeof NetWorthResponse> => ({
  ...{ date: found.date, currency: found.currency },
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
            ...presentUsedRate(chosen, { day: found.date, base: found.base }),
          }
        : null,
  })),
  count: found.accounts.length,
  unconverted: found.unconverted.map(({ account, currency, minor }) => ({
    accountId: account.id,
    currency,
    balance: formatMoney(minor, currency),
  })),
  ratesAsOf: oldestRate(found.accounts),
  warnings: staleWarnings(found.accounts.map((one) => ({ ...one, day: found.date }))),
})

export const presentNetWorthHistory = ({
  points,
  hidesAmounts: _hidden,
  ...found
}: NetWorthHistory): z.infer<typeof NetWorthHistoryResponse> => ({
  ...found,
  points: points.map(({ date, totals, unconverted }) => ({
    date,
    ...presentTotals(totals, found.currency),
    unconverted,
  })),
  count: points.length,
})
