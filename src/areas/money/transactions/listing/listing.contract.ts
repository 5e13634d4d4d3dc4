import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  money,
  nextCursor,
  integerField,
  yesInQuery,
} from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import { type LedgerTotals, SORTS } from '../../../../ledger/search/search.public.ts'
import { queryFilterFields } from './filters.contract.ts'
import type { FoundTransactions } from './listing.usecases.ts'

/** The query of a list of transactions. */
export const listQuery = {
  ...queryFilterFields,
  sort: z.enum(SORTS).default('-date').openapi({
    description:
      'Sort order; a minus sorts in descending order. Amounts are sorted by their number, regardless of sign and currency.',
    example: '-amount',
  }),
  totals: yesInQuery(
    'Whether to include the totals of all matching transactions, by currency.',
    true,
  ).default(false),
  ...pageQuery(),
}

export const CurrencyTotal = z
  .object({
    currency: currency(),
    inflow: money('Sum of all incoming amounts.'),
    outflow: money('Sum of all outgoing amounts, as a positive amount.'),
    net: money('Inflow minus outflow.'),
    count: integerField(
      'Number of transactions, including void ones, which count as zero in the sums.',
      1,
    ),
  })
  .openapi('CurrencyTotal')

/** The fields of a list of transactions besides the transactions. */
export const listedTransactions = {
  count,
  totals: z.array(CurrencyTotal).optional().openapi({
    description: 'Totals of all matching transactions, by currency; present only if requested.',
  }),
  nextCursor,
}

export type ListedTransactions = FoundTransactions & { nextCursor: string | null }

/** The fields of a list besides its rows. */
export const presentListed = ({ count, totals, nextCursor }: Omit<ListedTransactions, 'rows'>) => ({
  count,
  ...(totals ? { totals: totals.map(presentTotal) } : {}),
  nextCursor,
})

const presentTotal = ({
  currency,
  count,
  inflow,
  outflow,
}: LedgerTotals): z.infer<typeof CurrencyTotal> => ({
  currency,
  inflow: formatMoney(inflow, currency),
  outflow: formatMoney(-outflow, currency),
  net: formatMoney(inflow + outflow, currency),
  count,
})
