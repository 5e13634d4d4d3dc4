import { z } from '@hono/zod-openapi'
import { count, currency, date, integerField, nullableText } from '../../../../http/fields.ts'
import type { RateCoverage } from './coverage.usecases.ts'

export const RateCoverageResponse = z
  .object({
    currencies: z
      .array(
        z.object({
          currency: currency('Currency that the caller needs.').openapi({ example: 'USD' }),
          neededFrom: date('First day on which the caller has an account or a transaction in it.'),
          firstDate: nullableText('Date of the oldest rate; null if there is none.', '1999-01-04'),
          lastDate: nullableText('Date of the newest rate; null if there is none.', '2026-11-20'),
          gaps: z
            .array(
              z.object({
                from: date('First day without a rate.'),
                through: date('Last day without a rate.'),
                days: integerField('Number of days.', 12),
              }),
            )
            .openapi({
              description:
                'Gaps of more than 7 days since `neededFrom`. Conversions on these days use the last rate before the gap, if there is one.',
            }),
        }),
      )
      .openapi({ description: 'Currencies by code, without the euro, in which rates are quoted.' }),
    count,
  })
  .openapi('RateCoverageResponse')

export const presentCoverage = (found: RateCoverage[]): z.infer<typeof RateCoverageResponse> => ({
  currencies: found.map(({ currency, from, firstDate, lastDate, gaps }) => ({
    currency,
    neededFrom: from,
    firstDate,
    lastDate,
    gaps,
  })),
  count: found.length,
})
