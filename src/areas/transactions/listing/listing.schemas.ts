import { z } from '@hono/zod-openapi'
import { count, currency, money, nextCursor, whole, yesInQuery } from '../../../http/fields.ts'
import { pageQuery } from '../../../http/pagination.ts'
import { filterFields } from './filters.schemas.ts'
import { SORTS } from '../../../ledger/search/search.public.ts'

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
    count: whole('How many there are; void ones are among them, and move nothing.', 1),
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
