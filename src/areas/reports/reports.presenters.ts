import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../domain/money.ts'
import { viaOf } from '../exchange-rates/exchange-rates.public.ts'
import type { Totals } from './reports.rules.ts'
import type { NetWorthHistoryResponse, NetWorthResponse } from './reports.schemas.ts'
import type { NetWorth, NetWorthHistory } from './reports.usecases.ts'

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
