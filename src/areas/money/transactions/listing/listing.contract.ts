import { z } from '@hono/zod-openapi'
import { formatMoney } from '../../../../domain/money.ts'
import {
  count,
  currency,
  date,
  money,
  nextCursor,
  integerField,
  yesInQuery,
} from '../../../../http/fields.ts'
import { pageQuery } from '../../../../http/pagination.ts'
import { type LedgerTotals, SORTS } from '../../../../ledger/search/search.public.ts'
import { convertInQuery } from '../../exchange-rates/exchange-rates.public.ts'
import { queryFilterFields } from './filters.contract.ts'
import type { FoundTransactions } from './listing.usecases.ts'
import type { ConvertedTotals } from './totals.rules.ts'

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
  convert: convertInQuery,
  ...pageQuery(),
}

const sums = {
  currency: currency(),
  inflow: money('Sum of all incoming amounts.'),
  outflow: money('Sum of all outgoing amounts, as a positive amount.'),
  count: integerField(
    'Number of transactions, including void ones, which count as zero in the sums.',
    1,
  ),
}

export const CurrencyTotal = z
  .object({ ...sums, net: money('Inflow minus outflow.') })
  .openapi('CurrencyTotal')

export const ConvertedTotalsResponse = z
  .object({
    converted: CurrencyTotal.openapi({
      description:
        'Sums in the requested currency. Of each currency and day, what came in and the net are converted once and rounded half to even.',
    }),
    unconverted: z
      .array(z.object({ ...sums, from: date('First day.'), to: date('Last day.') }))
      .openapi({
        description: 'Totals of the days without a rate, by currency; they are not in `converted`.',
      }),
  })
  .openapi('ConvertedTotals')

/** The fields of a list of transactions besides the transactions. */
export const listedTransactions = {
  count,
  totals: z.array(CurrencyTotal).optional().openapi({
    description: 'Totals of all matching transactions, by currency; present only if requested.',
  }),
  convertedTotals: ConvertedTotalsResponse.optional().openapi({
    description:
      'Totals of all matching transactions in one currency; present only if `totals` and `convert` are requested.',
  }),
  nextCursor,
}

export type ListedTransactions = FoundTransactions & { nextCursor: string | null }

/** The fields of a list besides its rows. */
export const presentListed = ({
  count,
  totals,
  convertedTotals,
  nextCursor,
}: Omit<ListedTransactions, 'rows'>) => ({
  count,
  ...(totals ? { totals: totals.map(presentTotal) } : {}),
  ...(convertedTotals ? { convertedTotals: presentConvertedTotals(convertedTotals) } : {}),
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

const presentConvertedTotals = ({
  converted,
  unconverted,
}: ConvertedTotals): z.infer<typeof ConvertedTotalsResponse> => ({
  converted: presentTotal(converted),
  unconverted: unconverted.map(({ from, to, ...totals }) => {
    const { net: _net, ...sums } = presentTotal(totals)
    return { ...sums, from, to }
  }),
})
