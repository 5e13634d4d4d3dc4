import { z } from '@hono/zod-openapi'
import type { CalendarDate } from '../../../domain/calendar.ts'
import { type ChosenRate, isStale } from '../../../domain/exchange.ts'
import {
  booleanField,
  currency,
  date,
  integerField,
  nullableText,
  textField,
} from '../../../http/fields.ts'
import { viaOf } from './exchange-rates.rules.ts'

/** Beside every date of a rate. */
export const staleField = booleanField(
  'Whether the rate is more than 5 days older than the day that it was used for. The fixed rate of a currency that ended never is.',
  false,
)

/** The rate that an amount was converted at; `presentUsedRate` makes it. */
export const usedRate = {
  rate: textField(
    'Rate, rounded to 12 decimals; the amount was computed with the unrounded rate.',
    '0.922339051836',
  ),
  rateDate: z.string().nullable().openapi({
    description: 'Date of the rate, or of the older one of two; null if no rate was needed.',
    format: 'date',
    example: '2026-11-20',
  }),
  stale: staleField,
  path: z.enum(['same', 'direct', 'inverse', 'viaBase', 'viaReference']).openapi({
    description:
      'How the rate was found: a stored rate, the inverse of one, or a combination of two through the base currency or the reference currency (EUR).',
    example: 'inverse',
  }),
  via: nullableText('Currency that connects two rates; null for a single rate.'),
}

/** @param day for which the rate was used */
export const presentUsedRate = (
  chosen: ChosenRate,
  { day, base }: { day: CalendarDate; base: string },
) => ({
  rate: chosen.rateText,
  rateDate: chosen.date ?? null,
  stale: isStale(chosen, day),
  path: chosen.path,
  via: viaOf(chosen, base),
})

/** Beside every sum in one currency; `staleWarnings` makes them. */
export const rateWarnings = z
  .array(
    z.object({
      code: z
        .enum(['exchangeRates.stale'])
        .openapi({ description: 'Kind of the warning.', example: 'exchangeRates.stale' }),
      currency: currency('Currency whose rate is too old.').openapi({ example: 'USD' }),
      rateDate: date('Date of the oldest rate used.'),
      days: integerField('Number of days from the rate to the day that it was used for.', 9),
    }),
  )
  .openapi({ description: 'Currencies that were converted at a rate that is too old, each once.' })
