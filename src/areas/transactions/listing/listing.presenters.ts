import type { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../domain/money.ts'
import { fromWideSum } from '../../../platform/wide-sums.ts'
import type { LedgerTotals } from '../../ledger/ledger.public.ts'
import type { CurrencyTotal } from './listing.schemas.ts'
import type { Found } from './listing.usecases.ts'

export type Listed = Found & { nextCursor: string | null }

/** What a list tells beside its rows. */
export const presentListed = ({ count, totals, nextCursor }: Omit<Listed, 'rows'>) => ({
  count,
  ...(totals ? { totals: totals.map(presentTotal) } : {}),
  nextCursor,
})

function presentTotal({ currency, count, ...sums }: LedgerTotals): z.infer<typeof CurrencyTotal> {
  const [inflow, outflow] = [fromWideSum(sums.inflow), fromWideSum(sums.outflow)]
  return {
    currency,
    inflow: formatMoney(inflow, currency),
    outflow: formatMoney(-outflow, currency),
    net: formatMoney(inflow + outflow, currency),
    count,
  }
}
