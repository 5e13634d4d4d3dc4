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
import { SORTS } from '../../../../ledger/search/search.public.ts'
import { filterFields } from './filters.contract.ts'
import type { CurrencyTotals, Found } from './listing.usecases.ts'

/** How a list of transactions is asked for. */
export const listQuery = {
  ...filterFields(yesInQuery),
  sort: z.enum(SORTS).default('-date').openapi({
    description:
      'What comes first; with a minus the greatest. Amounts by their number, whatever the sign and the currency.',
    example: '-amount',
  }),
  totals: yesInQuery('Whether to sum up all that match, by currency.', true).default(false),
  ...pageQuery(),
}

export const CurrencyTotal = z
  .object({
    currency: currency(),
    inflow: money('What came in.'),
    outflow: money('What went out, as a positive amount.'),
    net: money('The difference.'),
    count: integerField('How many there are; void ones are among them, and move nothing.', 1),
  })
  .openapi('CurrencyTotal')

/** What a list of transactions tells beside them. */
export const listed = {
  count,
  totals: z
    .array(CurrencyTotal)
    .optional()
    .openapi({ description: 'Of all that match, by currency; only where asked for.' }),
  nextCursor,
}

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
