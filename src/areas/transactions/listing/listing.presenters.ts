import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import type { CurrencyTotal } from './listing.schemas.ts'
import type { CurrencyTotals, Found } from './listing.usecases.ts'

export type Listed = Found & { nextCursor: string | null }

/** What a list tells beside its rows. */
export const presentListed = ({ count, totals, nextCursor }: Omit<Listed, 'rows'>) => ({
  count,
  ...(totals ? { totals: totals.map(presentTotal) } : {}),
  nextCursor,
})

const presentTotal = ({
  currency,
  count,
  inflow,
  outflow,
}: CurrencyTotals): z.infer<typeof CurrencyTotal> => ({
  currency,
  inflow: formatMoney(inflow, currency),
  outflow: formatMoney(-outflow, currency),
  net: formatMoney(inflow + outflow, currency),
  count,
})
