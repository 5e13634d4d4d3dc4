import { z } from '@hono/zod-openapi'
import { booleanField, currency, date, integerField } from '../../../http/fields.ts'

/** Beside every date of a rate. */
export const staleField = booleanField(
  'Whether the rate is more than 5 days older than the day that it was used for. The fixed rate of a currency that ended never is.',
  false,
)

/** Beside every sum in one currency; `staleWarnings` makes them. */
export const rateWarnings = z
  .array(
    z.object({
      code: z
        .enum(['exchangeRates.stale'])
        .openapi({ description: 'Kind of the warning.', example: 'exchangeRates.stale' }),
      currency: currency('Currency of the converted amounts.').openapi({ example: 'USD' }),
      rateDate: date('Date of the oldest rate used.'),
      days: integerField('Number of days from the rate to the day that it was used for.', 9),
    }),
  )
  .openapi({ description: 'Currencies that were converted at a rate that is too old.' })
